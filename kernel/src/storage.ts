/** Asynchronous key-value storage, one namespace per environment. It never throws: a value that cannot be stored stays in memory. */
import { quietly } from './spec/shape.js'

export interface KeyValue {
  /** Returns the stored value, or undefined if it is absent or unreadable. The caller checks its shape. */
  get(key: string): Promise<unknown>
  /** @param value what JSON can hold; undefined counts as absent */
  set(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  /** False when storage is blocked, so that values do not outlive the page. */
  readonly persistent: boolean
}

/** Does not touch the browser's storage yet. */
export function createStorage(namespace: string, onError: (error: unknown) => void): KeyValue {
  const prefix = `keybay:${namespace}:`
  // Values that could not be stored; they take precedence over stored ones.
  const memory = new Map<string, string>()
  /** Even reading the property `localStorage` may throw: blocked cookies, an opaque origin, a server. */
  const attempt = <T>(run: () => T) => quietly(run, onError)
  return {
    async get(key) {
      const text = memory.get(key) ?? attempt(() => localStorage.getItem(prefix + key))
      return text ? attempt<unknown>(() => JSON.parse(text)) : undefined
    },
    async set(key, value) {
      attempt(() => {
        const text = JSON.stringify(value) ?? ''
        memory.set(key, text)
        localStorage.setItem(prefix + key, text)
        memory.delete(key)
      })
    },
    async remove(key) {
      memory.delete(key)
      attempt(() => localStorage.removeItem(prefix + key))
    },
    get persistent() {
      return attempt(() => localStorage) !== undefined
    },
  }
}
