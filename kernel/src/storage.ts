/** Asynchronous key-value storage, one namespace per environment. It never throws: what cannot be stored is kept in memory. */
export interface KeyValue {
  /** What was stored, or undefined; unreadable values count as absent. The caller checks the shape. */
  get(key: string): Promise<unknown>
  /** `value` must survive JSON. */
  set(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  /** Whether values outlive the page: false when storage is blocked. */
  readonly persistent: boolean
}

/** Touching localStorage may throw (blocked cookies, opaque origin), and so may the first write (a quota of 0). */
const openLocal = (): Storage | undefined => {
  try {
    const area = globalThis.localStorage
    const probe = 'keybay:probe'
    area.setItem(probe, probe)
    area.removeItem(probe)
    return area
  } catch {
    return undefined
  }
}

/** Opens on first use, so that creating an instance touches nothing. `onFault` hears of what went wrong, once per fault. */
export const createStorage = (namespace: string, onFault: (error: unknown) => void): KeyValue => {
  const prefix = `keybay:${namespace}:`
  // A value that did not fit lives here and shadows what is stored.
  const memory = new Map<string, string>()
  let area: Storage | undefined | null = null
  const open = () => {
    if (area === null) {
      area = openLocal()
      if (!area) onFault('blocked')
    }
    return area
  }
  const attempt = <T>(run: () => T, otherwise: T): T => {
    try {
      return run()
    } catch (error) {
      onFault(error)
      return otherwise
    }
  }
  return {
    async get(key) {
      const text = memory.get(key) ?? attempt(() => open()?.getItem(prefix + key), undefined)
      return text ? attempt<unknown>(() => JSON.parse(text), undefined) : undefined
    },
    async set(key, value) {
      const text = JSON.stringify(value)
      memory.set(key, text)
      attempt(() => {
        const target = open()
        target?.setItem(prefix + key, text)
        if (target) memory.delete(key)
      }, undefined)
    },
    async remove(key) {
      memory.delete(key)
      attempt(() => open()?.removeItem(prefix + key), undefined)
    },
    get persistent() {
      return open() !== undefined
    },
  }
}
