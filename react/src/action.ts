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
   * Starts synchronously, so that a popup may open in the click, and aborts the previous run. Never rejects: read
   * `status` and `error`.
   */
  run(...args: Args): void
  /** As `run`, for code that awaits it. @throws KeybayError */
  runAsync(...args: Args): Promise<T>
  /** Aborts a pending run: the status becomes `idle`, and the promise rejects with code `aborted`. */
  abort(): void
  /** Aborts a pending run, and forgets how the last one ended. */
  reset(): void
}
export type Action<Args extends readonly unknown[], T> = ActionState<T> & ActionControls<Args, T>

/**
 * For plugin authors: turns any function that takes a signal into a hook. After the component unmounts its state no longer
 * changes, but the run continues for callers that await it.
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
      const controller = new AbortController()
      const { signal } = controller
      const end = (next: ActionState<T>) => {
        if (running === controller) {
          running = undefined
          show(next)
        }
      }
      running = controller
      show({ status: 'pending' })
      const result = new Promise<T>((resolve, reject) => {
        // Rejects at once, because many wallets cannot be stopped.
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
        void runAsync(...args) // the state shows how it ends
      },
      abort() {
        if (running) reset()
      },
      reset,
    }
  })
  return { ...state, ...controls }
}
