import type { Clock } from '../spec/clock.js'

/** A clock that only a test moves. */
export interface FakeClock extends Clock {
  /** Moves on by `ms`, runs what is due in its order, and lets every promise that became ready run. */
  advance(ms: number): Promise<void>
  /** How many timers are waiting. */
  pending(): number
}

/** Lets every promise that is ready run: a macrotask comes after all of them. */
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
 * await clock.advance(120_000) // whoever waited for a user has waited long enough
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
        await settle() // what it set going may set the next timer
      }
      now = until
      await settle()
    },
    pending: () => timers.size,
  }
}
