/** Where a service takes the time from. */
export interface Clock {
  /** ms since epoch */
  now(): number
}

/** A clock that tests can move, on top of the machine's clock or of an injected one. */
export class MovableClock implements Clock {
  readonly #base: Clock
  #offset = 0

  constructor(base: Clock = { now: () => Date.now() }) {
    this.#base = base
  }

  now(): number {
    return this.#base.now() + this.#offset
  }

  get seconds(): number {
    return Math.floor(this.now() / 1000)
  }

  /** Moves by `ms`, also backwards. */
  advance(ms: number): void {
    this.#offset += ms
  }

  reset(): void {
    this.#offset = 0
  }
}
