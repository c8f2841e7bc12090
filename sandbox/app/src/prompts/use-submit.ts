/** The attempts at one question: the last wins, and only a right one answers. */
import type { KeybayError } from '@keybay/kernel'
import { useAction } from '@keybay/react'
import { useState } from 'react'

export interface Submit<Input> {
  readonly busy: boolean
  readonly error: KeybayError | undefined
  /** How often it was wrong since the question was opened. */
  readonly failures: number
  /** Call it in the click: a passkey may be asked for. */
  submit(input: Input): void
  reset(): void
}

/** @param perform of the question @param answer takes what a right attempt resolved to */
export function useSubmit<Input, Output>(
  perform: (input: Input) => Promise<Output>,
  answer: (output: Output) => void,
): Submit<Input> {
  const action = useAction((_signal, input: Input) => perform(input))
  const [failures, setFailures] = useState(0)
  return {
    busy: action.status === 'pending',
    error: action.error,
    failures,
    submit(input) {
      if (action.status !== 'pending') action.runAsync(input).then(answer, () => setFailures(count => count + 1))
    },
    reset: action.reset,
  }
}
