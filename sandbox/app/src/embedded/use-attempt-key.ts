/** One key for all tries at the same thing: what was interrupted goes on, and is not done twice. */
import { useRef } from 'react'

/** @returns the key for a choice; `forget` after it worked, so that the next one is another */
export function useAttemptKey(): { keyFor(choice: string): string; forget(): void } {
  const keys = useRef(new Map<string, string>())
  return {
    keyFor(choice) {
      const key = keys.current.get(choice) ?? crypto.randomUUID()
      keys.current.set(choice, key)
      return key
    },
    forget: () => keys.current.clear(),
  }
}
