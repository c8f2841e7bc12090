/** Listeners of one event. A function that is added twice is called twice, and each call of `add` removes its own. */
export interface ListenerSet<T> {
  /** Returns remove. */
  add(listener: (value: T) => void): () => void
  emit(value: T): void
  readonly size: number
}

export function listenerSet<T>(): ListenerSet<T> {
  const all = new Set<(value: T) => void>()
  return {
    add(listener) {
      const entry = (value: T) => listener(value)
      all.add(entry)
      return () => {
        all.delete(entry)
      }
    },
    emit(value) {
      for (const entry of [...all]) entry(value)
    },
    get size() {
      return all.size
    },
  }
}
