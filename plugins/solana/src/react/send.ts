import { type Action, useAction } from '@keybay/react'
import { useCallback, useState } from 'react'
import type { Confirmation, RunOptions, SendInput, TransactionStep } from '../steps.js'
import { useSolana } from './solana.js'

type Input = SendInput & Omit<RunOptions, 'signal' | 'onStep'>

export type SendTransaction = Action<[input: Input], Confirmation> & {
  /** Steps of the latest run so far, for a progress list. */
  readonly steps: readonly TransactionStep[]
}
/**
 * Sends SOL, tokens or the app's own instructions, and shows the progress.
 * @example
 * const { run, status, steps, error } = useSendTransaction()
 * run({ to, lamports: parseSol('0.1') })
 */
export function useSendTransaction(): SendTransaction {
  const solana = useSolana()
  const [steps, setSteps] = useState<readonly TransactionStep[]>([])
  const action = useAction((signal: AbortSignal, input: Input) => {
    setSteps([])
    return solana.send({
      ...input,
      signal,
      onStep(step) {
        // Ignores an aborted run, whose last steps may arrive after the next run has begun.
        if (!signal.aborted) setSteps(all => [...all, step])
      },
    })
  })
  const { reset } = action
  const forget = useCallback(() => {
    setSteps([])
    reset()
  }, [reset])
  return { ...action, reset: forget, steps }
}
