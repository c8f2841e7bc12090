import { useRef, useSyncExternalStore } from 'react'

const NONE: readonly never[] = []

/**
 * Returns a list of the kernel as React state. Equal items keep the list's reference, so that only changes which the list
 * shows render. On a server, and while hydrating, it is the result of `server`: empty by default.
 */
export function useList<T>(
  { subscribe }: { subscribe(listener: () => void): () => void },
  read: () => readonly T[],
  server: () => readonly T[] = () => NONE,
): readonly T[] {
  const last = useRef<readonly T[]>(NONE)
  const stabilize = (from: () => readonly T[]) => () => {
    const next = from()
    const { current } = last
    if (next.length !== current.length || next.some((item, i) => item !== current[i])) last.current = next
    return last.current
  }
  return useSyncExternalStore(subscribe, stabilize(read), stabilize(server))
}
