/** System clock, accelerated: the kit's 60 s pass in three. */
import type { Clock } from '@keybay/kernel'

export function fastClock(times: number): Clock {
  return {
    now: () => Date.now() * times,
    after(ms, run) {
      const timer = setTimeout(run, ms / times)
      return () => clearTimeout(timer)
    },
  }
}
