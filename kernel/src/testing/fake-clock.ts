import type { Clock } from '../spec/clock.js'

export interface FakeClock extends Clock {
  /** Advances by `ms`, runs due timers in order, and lets all ready promises run. */
  advance(ms: number): Promise<void>
  /** Number of waiting timers. */
  pending(): number
}

/** Lets all ready promises run, because a macrotask runs after them. */
export function settle(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })
}

/**
 * @param start ms since epoch
 * @example
 * const clock = fakeClock()
 * const keybay = createKeybay({ appName: 'Acme', clock, plugins })
 * await clock.advance(120_000) // every wait for a user has now timed out
 */
export function fakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const next = (until: number) =>
    [...timers]
      .filter(({ at }) => at <= until)
      .reduce<{ at: number; run: () => void } | undefined>(
        (first, timer) => (first && first.at <= timer.at ? first : timer),
        undefined,
      )
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },
    async advance(ms) {
      const until = now + ms
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.run()
        await settle() // Promises that ran here may set the next timer.
      }
      now = until
      await settle()
    },
    pending: () => timers.size,
  }
}
