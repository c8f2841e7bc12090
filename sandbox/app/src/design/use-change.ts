/** Runs account changes from buttons: one at a time, with a toast on success and an error on the page. */
import { aborted, isKeybayError, type KeybayError, userRejected } from '@keybay/kernel'
import type { Action } from '@keybay/react'
import { toast } from './toasts.js'

export interface Change<Args extends readonly unknown[], T = unknown> {
  readonly busy: boolean
  /** Undefined when the user declined. */
  readonly error: KeybayError | undefined
  readonly data: T | undefined
  run(...args: Args): void
  reset(): void
}

/** @param done toast after a success, if any */
export function useChange<Args extends readonly unknown[], T>(
  { status, error, data, runAsync, reset }: Action<Args, T>,
  done: string | undefined,
  then: (result: T) => void = () => {},
): Change<Args, T> {
  const busy = status === 'pending'
  const isStopped = isKeybayError(error, userRejected) || isKeybayError(error, aborted)
  const run = (...args: Args) => {
    if (busy) return
    runAsync(...args).then(
      result => {
        if (done !== undefined) toast(done)
        then(result)
      },
      () => {}, // the UI shows `error`
    )
  }
  return { busy, error: isStopped ? undefined : error, data, run, reset }
}
