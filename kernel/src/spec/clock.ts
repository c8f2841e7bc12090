/** The kernel's clock. Tests pass their own to avoid real waits. */
export interface Clock {
  /** Current time, in ms since epoch. */
  now(): number
  /** Calls `run` once after `ms`; returns a cancel function. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
