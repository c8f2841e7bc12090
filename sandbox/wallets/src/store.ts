/** One JSON value in local storage; in memory where the browser gives no storage. */

export interface Store {
  read(): unknown
  write(value: unknown): void
  /** Calls back when another tab wrote. Returns the unsubscriber. */
  watch(listener: () => void): () => void
}

/** @param key the whole key, e.g. `keybay-sandbox-wallet:keyring` */
export function openStore(key: string): Store {
  let memory: unknown
  return {
    read: () => {
      try {
        const text = localStorage.getItem(key)
        return text === null ? memory : JSON.parse(text)
      } catch {
        return memory
      }
    },
    write: value => {
      memory = value
      try {
        localStorage.setItem(key, JSON.stringify(value))
      } catch {
        // Storage is blocked or full: the keys live as long as this page.
      }
    },
    watch: listener => {
      const heard = (event: StorageEvent) => {
        // A null key: everything was cleared.
        if (event.key === key || event.key === null) listener()
      }
      addEventListener('storage', heard)
      return () => removeEventListener('storage', heard)
    },
  }
}
