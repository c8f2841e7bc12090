/** `on`, `off` and `removeListener`, as the providers of all these wallets have them. */
type Listener = (...args: readonly unknown[]) => void
export interface Events {
  on(event: string, listener: Listener): void
  off(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
  emit(event: string, ...args: readonly unknown[]): void
}

export function createEvents(): Events {
  const all = new Map<string, Set<Listener>>()
  const off = (event: string, listener: Listener) => void all.get(event)?.delete(listener)
  return {
    on(event, listener) {
      all.set(event, (all.get(event) ?? new Set()).add(listener))
    },
    off,
    removeListener: off,
    emit(event, ...args) {
      for (const listener of [...(all.get(event) ?? [])]) listener(...args)
    },
  }
}
