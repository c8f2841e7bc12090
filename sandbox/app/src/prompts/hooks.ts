/** Attempts at one prompt: the latest attempt wins, and only a correct one answers the prompt. */
import type { KeybayError } from '@keybay/kernel'
import { useAction } from '@keybay/react'
import { useEffect, useState } from 'react'

export interface Submit<Input> {
  readonly busy: boolean
  readonly error: KeybayError | undefined
  /** Number of failed attempts since the prompt opened. */
  readonly failures: number
  /** Call it in the click handler: a passkey prompt may need the user gesture. */
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

const SECOND = 1000

/** Returns the current time in ms since epoch, updated every second, for countdowns. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** `9:05` @param ms what is left */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
