/** Time as the kernel sees it. Tests pass their own, so that no test waits real seconds. */
export interface Clock {
  /** ms since epoch */
  now(): number
  /** Runs once after `ms`; returns cancel. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
