import type { KeybayError } from '@keybay/kernel'
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
export interface Transfer {
  readonly status: 'idle' | 'pending' | 'success' | 'error'
  readonly error: KeybayError | undefined
  /** Steps so far, with their times. */
  readonly steps: readonly TimedStep[]
  /** @param sponsor the environment pays, or nothing is sent. Never rejects: read `status` and `error` */
  start(input: SendInput, sponsor: boolean): void
  reset(): void
}

function getKey({ id, step }: TransactionStep): string {
  return `${id} ${step}`
}

/** Runs a transfer and records the time of each step. */
export function useTransfer(): Transfer {
  const keybay = useKeybay()
  const { networkId } = useCurrentNetwork()
  const { status, error, steps, run, reset } = useSendTransaction()
  const began = useRef(0)
  const times = useRef(new Map<string, number>())
  useEffect(
    () => keybay.on('transaction:step', step => void times.current.set(getKey(step), performance.now())),
    [keybay],
  )
  return {
    status,
    error,
    reset,
    steps: steps.map(step => ({ step, after: (times.current.get(getKey(step)) ?? began.current) - began.current })),
    start(input, sponsor) {
      began.current = performance.now()
      askForSponsor(networkId, sponsor)
      run({ ...input, sponsor })
    },
  }
}
