/** One asynchronous action as React state: latest run wins, and it can be aborted. */
import { aborted, KeybayError, toKeybayError } from '@keybay/kernel'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

export type ActionState<T> =
  | { readonly status: 'idle'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'pending'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'success'; readonly data: T; readonly error: undefined }
  | { readonly status: 'error'; readonly data: undefined; readonly error: KeybayError }
export interface ActionControls<Args extends readonly unknown[], T> {
  /** Starts synchronously, so a popup may open in the click. Never rejects: read `status` and `error`. */
  run(...args: Args): void
  /** The same, for code that awaits. @throws KeybayError */
  runAsync(...args: Args): Promise<T>
  /** Cancels what is under way; its state becomes `error` with code `aborted`. */
  abort(): void
  /** Cancels, and back to `idle`. */
  reset(): void
}
export type Action<Args extends readonly unknown[], T> = ActionState<T> & ActionControls<Args, T>

const IDLE = { status: 'idle', data: undefined, error: undefined } as const

/**
 * For plugin authors: makes a hook of any function that takes a signal.
 *
 * @example const useSweep = () => useAction((signal, to: string) => keybay.acme.sweep(to, { signal }))
 */
export const useAction = <Args extends readonly unknown[], T>(
  perform: (signal: AbortSignal, ...args: Args) => Promise<T>,
): Action<Args, T> => {
  const [state, setState] = useState<ActionState<T>>(IDLE)
  const latest = useRef(perform)
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => {
    latest.current = perform
  })
  const abort = useCallback(() => running.current?.abort(new KeybayError(aborted)), [])
  // An unmounted component hears nothing, and what it started is aborted.
  useEffect(
    () => () => {
      abort()
      running.current = undefined
    },
    [abort],
  )
  const runAsync = useCallback(
    async (...args: Args): Promise<T> => {
      abort()
      const mine = new AbortController()
      running.current = mine
      const show = (next: ActionState<T>) => {
        if (running.current === mine) setState(next)
      }
      show({ status: 'pending', data: undefined, error: undefined })
      try {
        const data = await latest.current(mine.signal, ...args)
        show({ status: 'success', data, error: undefined })
        return data
      } catch (thrown) {
        const error = toKeybayError(thrown)
        show({ status: 'error', data: undefined, error })
        throw error
      }
    },
    [abort],
  )
  return useMemo(
    () => ({
      ...state,
      runAsync,
      abort,
      run(...args: Args) {
        runAsync(...args).catch(() => {}) // it is in the state
      },
      reset() {
        abort()
        running.current = undefined
        setState(IDLE)
      },
    }),
    [state, runAsync, abort],
  )
}
