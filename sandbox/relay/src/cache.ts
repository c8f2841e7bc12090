const MAX_ENTRIES = 20_000

/** A map that forgets its oldest entry when it is full. */
export class Cache<V> {
  readonly #entries = new Map<string, V>()

  get(key: string): V | undefined {
    return this.#entries.get(key)
  }

  /** Returns the value. */
  set(key: string, value: V): V {
    this.#entries.delete(key)
    if (this.#entries.size >= MAX_ENTRIES) this.#forgetOldest()
    this.#entries.set(key, value)
    return value
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
