/** Keeps one idempotency key for all attempts at an operation: an interrupted one resumes and never runs twice. */
import { useRef } from 'react'

/** @returns the key for a choice; call `forget` after success, so that the next operation gets a new key */
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
