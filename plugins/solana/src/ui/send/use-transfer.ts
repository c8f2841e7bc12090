import { useKeybay } from '@keybay/react'
import { useEffect, useRef } from 'react'
import { type SendTransaction, useSendTransaction } from '../../react/send.js'
import type { SendInput, TransactionStep } from '../../steps.js'

export interface TimedStep {
  readonly step: TransactionStep
  /** Time since the send began, in ms. */
  readonly after: number
}

export interface Transfer extends Pick<SendTransaction, 'status' | 'error' | 'reset'> {
  readonly steps: readonly TimedStep[]
  /**
   * Never rejects: read `status` and `error`.
   * @param sponsor the environment pays, or nothing is sent
   * @param done called once it is confirmed
   */
  start(input: SendInput, sponsor: boolean, done: () => void): void
}

function getKey({ id, step }: TransactionStep): string {
  return `${id} ${step}`
}

/** Runs a transfer and records the time of each step. */
export function useTransfer(): Transfer {
  const { on } = useKeybay()
  const { status, error, steps, runAsync, reset } = useSendTransaction()
  const began = useRef(0)
  const times = useRef(new Map<string, number>())
  useEffect(() => on('transaction:step', step => void times.current.set(getKey(step), performance.now())), [on])
  const timed = steps.map((step): TimedStep => {
    const time = times.current.get(getKey(step)) ?? began.current
    return { step, after: time - began.current }
  })
  const start: Transfer['start'] = (input, sponsor, done) => {
    began.current = performance.now()
    runAsync({ ...input, sponsor }).then(done, () => {}) // the form shows `error`
  }
  return { status, error, steps: timed, start, reset }
}
