/** One asynchronous action as React state: the latest run wins, and it can be aborted. */
import { aborted, KeybayError, toKeybayError } from '@keybay/kernel'
import { useEffect, useRef, useState } from 'react'

export type ActionState<T> =
  | { readonly status: 'idle'; readonly data?: undefined; readonly error?: undefined }
  | { readonly status: 'pending'; readonly data?: undefined; readonly error?: undefined }
  | { readonly status: 'success'; readonly data: T; readonly error?: undefined }
  | { readonly status: 'error'; readonly data?: undefined; readonly error: KeybayError }
/** The same functions in every render. */
export interface ActionControls<Args extends readonly unknown[], T> {
  /**
   * Starts synchronously, so a popup may open in the click, and aborts the run before it. Never rejects: read `status`
   * and `error`.
   */
  run(...args: Args): void
  /** The same, for code that awaits. @throws KeybayError */
  runAsync(...args: Args): Promise<T>
  /** Stops what is under way: back to `idle`, and its promise rejects with code `aborted`. */
  abort(): void
  /** Stops what is under way, and forgets how the last run ended. */
  reset(): void
}
export type Action<Args extends readonly unknown[], T> = ActionState<T> & ActionControls<Args, T>

/**
 * For plugin authors: makes a hook of any function that takes a signal. A component that is gone hears nothing; what it
 * started goes on for whoever awaits it.
 *
 * @example const useSweep = () => useAction((signal, to: string) => keybay.acme.sweep(to, { signal }))
 */
export function useAction<Args extends readonly unknown[], T>(
  perform: (signal: AbortSignal, ...args: Args) => Promise<T>,
): Action<Args, T> {
  const [state, show] = useState<ActionState<T>>({ status: 'idle' })
  const latest = useRef(perform)
  useEffect(() => {
    latest.current = perform
  })
  const [controls] = useState((): ActionControls<Args, T> => {
    let running: AbortController | undefined
    const stop = () => {
      running?.abort(new KeybayError(aborted))
      running = undefined
    }
    const reset = () => {
      stop()
      show({ status: 'idle' })
    }
    const runAsync = (...args: Args): Promise<T> => {
      stop()
      const mine = new AbortController()
      const { signal } = mine
      const end = (next: ActionState<T>) => {
        if (running === mine) {
          running = undefined
          show(next)
        }
      }
      running = mine
      show({ status: 'pending' })
      const result = new Promise<T>((resolve, reject) => {
        // Many wallets cannot be told to stop: the user need not wait for them.
        signal.addEventListener('abort', () => reject(signal.reason))
        latest.current(signal, ...args).then(resolve, reject)
      }).catch(thrown => {
        throw toKeybayError(thrown)
      })
      result.then(
        data => end({ status: 'success', data }),
        error => end({ status: 'error', error }),
      )
      return result
    }
    return {
      runAsync,
      run(...args) {
        void runAsync(...args) // how it ends is in the state
      },
      abort() {
        if (running) reset()
      },
      reset,
    }
  })
  return { ...state, ...controls }
}
