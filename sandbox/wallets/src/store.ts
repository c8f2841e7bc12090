/** JSON value in local storage, or in memory if the browser provides no storage. */

export interface Store {
  read(): unknown
  write(value: unknown): void
  /** Calls the listener when another tab writes. Returns unsubscribe. */
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
        // A null key means that all storage was cleared.
        if (event.key === key || event.key === null) listener()
      }
      addEventListener('storage', heard)
      return () => removeEventListener('storage', heard)
    },
  }
}
