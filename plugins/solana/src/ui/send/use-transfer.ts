import { useKeybay } from '@keybay/react'
import type { SendInput, TransactionStep } from '@keybay/solana'
import { useSendTransaction } from '@keybay/solana/react'
import { useEffect, useRef } from 'react'
import { useCurrentNetwork } from '../chain/use-loaded.js'
import { askForSponsor } from './sponsorship.js'

export interface TimedStep {
  readonly step: TransactionStep
  /** Time since the send began, in ms. */
  readonly after: number
}

function getKey({ id, step }: TransactionStep): string {
  return `${id} ${step}`
}

/** Runs a transfer and records the time of each step. `start` never rejects: read `status` and `error`. */
export function useTransfer() {
  const keybay = useKeybay()
  const { networkId } = useCurrentNetwork()
  const { status, error, steps, runAsync, reset } = useSendTransaction()
  const began = useRef(0)
  const times = useRef(new Map<string, number>())
  useEffect(
    () => keybay.on('transaction:step', step => void times.current.set(getKey(step), performance.now())),
    [keybay],
  )
  const timed = steps.map((step): TimedStep => {
    const time = times.current.get(getKey(step)) ?? began.current
    return { step, after: time - began.current }
  })
  /**
   * @param sponsor the environment pays, or nothing is sent
   * @param done called once it is confirmed
   */
  const start = (input: SendInput, sponsor: boolean, done: () => void) => {
    began.current = performance.now()
    askForSponsor(networkId, sponsor)
    runAsync({ ...input, sponsor }).then(done, () => {}) // the form shows `error`
  }
  return { status, error, steps: timed, start, reset }
}
