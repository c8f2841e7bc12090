/** Number of blocks for which a blockhash is valid (Agave's MAX_PROCESSING_AGE): one minute at 400 ms. */
export const MAX_PROCESSING_AGE = 150

export interface IssuedBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: number
}

/** Tracks valid blockhashes. The VM's own check is off, because it does not support durable nonces. */
export class Blockhashes {
  /** In order of issue. */
  readonly #lastValid = new Map<string, number>()
  #latest: IssuedBlockhash = { blockhash: '', lastValidBlockHeight: 0 }

  get latest(): IssuedBlockhash {
    return this.#latest
  }

  /** Makes `blockhash` the latest, as of block `height`, and deletes those that expired before it. */
  issue(blockhash: string, height: number): void {
    for (const [old, lastValid] of this.#lastValid) {
      if (lastValid >= height) break
      this.#lastValid.delete(old)
    }
    this.#add({ blockhash, lastValidBlockHeight: height + MAX_PROCESSING_AGE })
  }

  isValid(blockhash: string): boolean {
    return this.#lastValid.has(blockhash)
  }

  /** Fault: refuses transactions with this blockhash from now on. Returns false when it was not valid. */
  expire(blockhash: string): boolean {
    return this.#lastValid.delete(blockhash)
  }

  newestFirst(): string[] {
    return [...this.#lastValid.keys()].reverse()
  }

  entries(): IssuedBlockhash[] {
    return [...this.#lastValid].map(([blockhash, lastValidBlockHeight]) => ({ blockhash, lastValidBlockHeight }))
  }

  restore(entries: readonly IssuedBlockhash[]): void {
    this.#lastValid.clear()
    for (const entry of entries) this.#add(entry)
  }

  #add(entry: IssuedBlockhash): void {
    this.#lastValid.set(entry.blockhash, entry.lastValidBlockHeight)
    this.#latest = entry
  }
}
