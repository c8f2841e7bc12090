/** JSON value in local storage, or in memory if the browser provides no storage. */

export type Store = ReturnType<typeof openStore>

/** @param key the whole key, e.g. `keybay-sandbox-wallet:keyring` */
export function openStore(key: string) {
  let memory: unknown
  return {
    read: (): unknown => {
      try {
        const text = localStorage.getItem(key)
        return text === null ? memory : JSON.parse(text)
      } catch {
        return memory
      }
    },
    write: (value: unknown): void => {
      memory = value
      try {
        localStorage.setItem(key, JSON.stringify(value))
      } catch {
        // Storage is blocked or full: the keys live as long as this page.
      }
    },
    /** Calls the listener when another tab writes. Returns unsubscribe. */
    watch: (listener: () => void): (() => void) => {
      const onStorage = (event: StorageEvent) => {
        // A null key means that all storage was cleared.
        if (event.key === key || event.key === null) listener()
      }
      addEventListener('storage', onStorage)
      return () => removeEventListener('storage', onStorage)
    },
  }
}
