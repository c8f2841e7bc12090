/** Asynchronous key-value storage, one namespace per environment. It never throws: what cannot be stored is kept in memory. */
export interface KeyValue {
  /** What was stored, or undefined; unreadable values count as absent. The caller checks the shape. */
  get(key: string): Promise<unknown>
  /** `value` must survive JSON; `undefined` counts as absent. */
  set(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  /** Whether values outlive the page: false when storage is blocked. */
  readonly persistent: boolean
}

/** Creating it touches nothing. `onFault` hears of what went wrong. */
export function createStorage(namespace: string, onFault: (error: unknown) => void): KeyValue {
  const prefix = `keybay:${namespace}:`
  // A value that could not be stored lives here and shadows what is stored.
  const memory = new Map<string, string>()
  /** Even naming `localStorage` may throw: blocked cookies, an opaque origin, a server. */
  const attempt = <T>(run: () => T): T | undefined => {
    try {
      return run()
    } catch (error) {
      onFault(error)
      return undefined
    }
  }
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
