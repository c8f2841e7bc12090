/** Data that is fetched and refetched, and never shown for another key. */
import { type KeybayError, toKeybayError } from '@keybay/kernel'
import { useCallback, useEffect, useRef, useState } from 'react'

export interface Loaded<T> {
  /** Last known data; stays during an error. */
  readonly data: T | undefined
  /** `idle`: there is nothing to fetch. */
  readonly status: 'idle' | 'loading' | 'success' | 'error'
  readonly error: KeybayError | undefined
  readonly refresh: () => Promise<void>
}
interface Seen<T> {
  readonly of: string | undefined
  readonly data?: T
  readonly error?: KeybayError | undefined
}
/**
 * @param of key of the data, as text; undefined: nothing to fetch
 * @param wait schedules each fetch, e.g. until the user has stopped typing; returns cancel
 */
export function useLoaded<T>(
  of: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  wait: (look: () => void) => () => void = look => {
    look()
    return () => {}
  },
): Loaded<T> {
  const [state, setState] = useState<Seen<T>>({ of })
  const shown: Seen<T> = state.of === of ? state : { of }
  const latest = useRef({ load, wait })
  useEffect(() => {
    latest.current = { load, wait }
  })
  const running = useRef<AbortController>(undefined)
  const look = useCallback(async () => {
    if (of === undefined) return
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    await latest.current.load(controller.signal).then(
      data => {
        if (!controller.signal.aborted) setState({ of, data })
      },
      error => {
        if (controller.signal.aborted) return
        const failed = { error: toKeybayError(error) }
        setState(last => (last.of === of ? { ...last, ...failed } : { of, ...failed }))
      },
    )
  }, [of])
  useEffect(() => {
    if (of === undefined) return undefined
    const cancel = latest.current.wait(() => void look())
    return () => {
      cancel()
      running.current?.abort()
    }
  }, [of, look])
  const { data, error } = shown
  const status = of === undefined ? 'idle' : error ? 'error' : data === undefined ? 'loading' : 'success'
  return { data, status, error, refresh: look }
}
