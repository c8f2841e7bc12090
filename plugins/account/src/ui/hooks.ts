/** Attempts at one prompt: the latest attempt wins, and only a correct one answers the prompt. */
import type { KeybayError } from '@keybay/kernel'
import { useAction } from '@keybay/react'
import { useEffect, useState } from 'react'

interface Submit<Input> {
  readonly busy: boolean
  readonly error: KeybayError | undefined
  submit(input: Input): void
  /** Counts the codes that were sent, because a new code clears the field. */
  readonly round: number
  /** Clears the error, after a new code was sent. */
  restart(): void
}

/**
 * Returns the state of the attempts. Call `submit` in the click handler: a passkey prompt may need the user gesture.
 *
 * @param answer takes what a right attempt resolved to
 */
export function useSubmit<Input, Output>(
  perform: (input: Input) => Promise<Output>,
  answer: (output: Output) => void,
): Submit<Input> {
  const { status, error, runAsync, reset } = useAction((_signal, input: Input) => perform(input))
  const busy = status === 'pending'
  const submit = (input: Input) => {
    if (!busy) runAsync(input).then(answer, () => {}) // the UI shows `error`
  }
  const [round, setRound] = useState(0)
  const restart = () => {
    reset()
    setRound(round + 1)
  }
  return { busy, error, submit, round, restart }
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
