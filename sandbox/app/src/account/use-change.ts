/** Runs account changes from buttons: one at a time, with a toast on success and an error on the page. */
import { aborted, isKeybayError, type KeybayError, userRejected } from '@keybay/kernel'
import type { Action } from '@keybay/react'
import { toast } from '../shell/toasts.js'

export interface Change<Args extends readonly unknown[]> {
  readonly busy: boolean
  /** Undefined when the user declined. */
  readonly error: KeybayError | undefined
  run(...args: Args): void
  reset(): void
}

/** @param done what is said when it worked, if anything */
export function useChange<Args extends readonly unknown[], T>(
  action: Action<Args, T>,
  done: string | undefined,
  then: (result: T) => void = () => {},
): Change<Args> {
  const { error } = action
  const busy = action.status === 'pending'
  return {
    busy,
    error: isKeybayError(error, userRejected) || isKeybayError(error, aborted) ? undefined : error,
    run(...args) {
      if (busy) return
      action.runAsync(...args).then(
        result => {
          if (done !== undefined) toast(done)
          then(result)
        },
        () => {}, // the UI shows `error`
      )
    },
    reset: action.reset,
  }
}
