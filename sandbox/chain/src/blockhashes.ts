/** A transaction may use a blockhash for this many blocks (Agave's MAX_PROCESSING_AGE): one minute at 400 ms. */
export const MAX_PROCESSING_AGE = 150

export interface IssuedBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: number
}

/** The blockhashes that a transaction may carry now. The VM checks none: it would also not know durable nonces. */
export class Blockhashes {
  /** In order of issue. */
  readonly #lastValid = new Map<string, number>()
  #latest: IssuedBlockhash = { blockhash: '', lastValidBlockHeight: 0 }

  get latest(): IssuedBlockhash {
    return this.#latest
  }

  /** Makes `blockhash` the latest, as of block `height`, and forgets those that ended before it. */
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

  /** A fault: transactions with this blockhash are refused from now on. False when it was not valid. */
  expire(blockhash: string): boolean {
    return this.#lastValid.delete(blockhash)
  }

  /** Those still valid, newest first. */
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
