import { quietly } from '@keybay/kernel/spec'
import { useCallback, useSyncExternalStore } from 'react'
import { useKeybay } from '../context.js'
import { useSession } from '../stores.js'

export interface Recent {
  /** Newest first. */
  readonly list: readonly string[]
  readonly add: (value: string) => void
}

const MAX = 5
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function read(key: string): string {
  return quietly(() => localStorage.getItem(key)) ?? '[]'
}

function parse(stored: string): readonly string[] {
  const value: unknown = quietly(() => JSON.parse(stored))
  const texts = Array.isArray(value) ? value.filter(entry => typeof entry === 'string') : []
  return [...new Set(texts)].slice(0, MAX)
}

/**
 * Remembers the last five choices in this browser, for all tabs. `@keybay/account` erases lists whose name begins with `user:` at
 * sign-out.
 *
 * @example
 * const { list, add } = useRecent('wallet')
 */
export function useRecent(name: string): Recent {
  const { config } = useKeybay()
  useSession() // a sign-out erases lists
  const key = `keybay:${config.environmentId}:${name}`
  const list = parse(
    useSyncExternalStore(
      subscribe,
      () => read(key),
      () => '[]',
    ),
  )
  const add = useCallback(
    (value: string) => {
      const next = [value, ...parse(read(key)).filter(other => other !== value)].slice(0, MAX)
      quietly(() => localStorage.setItem(key, JSON.stringify(next)))
      for (const listener of listeners) listener()
    },
    [key],
  )
  return { list, add }
}
