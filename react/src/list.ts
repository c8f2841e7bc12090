import { useRef, useSyncExternalStore } from 'react'

const NONE: readonly never[] = []

/**
 * A list of the kernel as React state. The same items keep the same reference, so nothing renders for a change that the
 * list does not show. On a server, and while hydrating, it is what `server` gives: nothing, by default.
 */
export function useList<T>(
  { subscribe }: { subscribe(listener: () => void): () => void },
  read: () => readonly T[],
  server: () => readonly T[] = () => NONE,
): readonly T[] {
  const last = useRef<readonly T[]>(NONE)
  const keep = (from: () => readonly T[]) => () => {
    const next = from()
    const { current } = last
    if (next !== current && (next.length !== current.length || next.some((item, i) => item !== current[i])))
      last.current = next
    return last.current
  }
  return useSyncExternalStore(subscribe, keep(read), keep(server))
}
