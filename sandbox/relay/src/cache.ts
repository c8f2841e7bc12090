/** A map that forgets its oldest entry when it is full. */
export class Cache<V> {
  readonly #entries = new Map<string, V>()

  get(key: string): V | undefined {
    return this.#entries.get(key)
  }

  /** Returns the value. */
  set(key: string, value: V): V {
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= 20_000 && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
