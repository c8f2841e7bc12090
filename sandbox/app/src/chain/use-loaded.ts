import { useCallback, useEffect, useState } from 'react'

export type Loaded<T> =
  | { readonly status: 'loading'; readonly data: undefined }
  | { readonly status: 'ready'; readonly data: T }
  /** `data` is the previously loaded value. */
  | { readonly status: 'failed'; readonly error: Error; readonly data: T | undefined }

/** Delay before a failed load is retried, in ms. */
const RETRY_MS = 3000

/**
 * Loads when `load` changes (wrap it in useCallback), after a failure, and every `every` ms while the page is
 * visible. Keeps the loaded data until the same `load` returns newer data.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  every?: number,
): Loaded<T> & { readonly reload: () => void } {
  const [state, setState] = useState<Loaded<T> & { readonly of?: typeof load }>({ status: 'loading', data: undefined })
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound(last => last + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round means to ask again
  useEffect(() => {
    const control = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      if (document.visibilityState === 'hidden') {
        document.addEventListener('visibilitychange', () => void look(), { once: true, signal: control.signal })
        return
      }
      let again = every
      try {
        const data = await load(control.signal)
        if (!control.signal.aborted) setState({ status: 'ready', data, of: load })
      } catch (thrown) {
        if (control.signal.aborted) return
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        setState(last => ({ status: 'failed', error, data: last.of === load ? last.data : undefined, of: load }))
        again = RETRY_MS
      }
      if (again !== undefined && !control.signal.aborted) timer = setTimeout(() => void look(), again)
    }
    void look()
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [load, every, round])
  if (state.of !== load) return { status: 'loading', data: undefined, reload }
  return { ...state, reload }
}
