/** Limits how many transactions and statements run at once, and how long the others wait. */
import type { PoolUse } from './options.js'

/** Thrown when no connection was free in time. */
class PoolExhaustedError extends Error {
  readonly code = 'CONNECTION_POOL_EXHAUSTED'

  constructor(waitMs: number) {
    super(`No connection to the database was free within ${waitMs} ms.`)
    this.name = 'PoolExhaustedError'
  }
}

export class Gate {
  readonly #size: number
  readonly #waitMs: number
  #free: number
  #timedOut = 0
  /** In the order of arrival. */
  readonly #waiting = new Set<() => void>()

  constructor(size: number, waitMs: number) {
    this.#size = size
    this.#free = size
    this.#waitMs = waitMs
  }

  get use(): PoolUse {
    const busy = this.#size - this.#free
    return { most: this.#size, busy, waiting: this.#waiting.size, timedOut: this.#timedOut }
  }

  /** @throws PoolExhaustedError before `work` starts */
  async run<T>(work: () => PromiseLike<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1
      return undefined
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        this.#waiting.delete(enter)
        clearTimeout(impatience)
        resolve()
      }
      const impatience = setTimeout(() => {
        this.#waiting.delete(enter)
        this.#timedOut += 1
        reject(new PoolExhaustedError(this.#waitMs))
      }, this.#waitMs)
      this.#waiting.add(enter)
    })
  }

  #leave(): void {
    const [next] = this.#waiting
    if (next) next()
    else this.#free += 1
  }
}
