/** Source of a service's time. */
export interface Clock {
  /** ms since epoch */
  now(): number
}

/** Clock that tests can move, based on the machine's clock or an injected one. */
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

  /** Moves the clock by `ms`, which may be negative. */
  advance(ms: number): void {
    this.#offset += ms
  }

  reset(): void {
    this.#offset = 0
  }
}
