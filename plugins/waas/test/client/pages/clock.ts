/** A clock that only the test moves, in a page. */
import type { Clock } from '@keybay/kernel'

export interface PageClock extends Clock {
  /** Moves on by `ms` and runs what is due, in its order. */
  advance(ms: number): Promise<void>
  pending(): number
}
/** Lets every promise that is ready run. */
function settle() {
  return new Promise<void>(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve()
    port2.postMessage(0)
  })
}

export function createPageClock(): PageClock {
  let now = 1_700_000_000_000
  let timers: { readonly at: number; readonly run: () => void }[] = []
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter(other => other !== timer)
      }
    },
    async advance(ms) {
      const until = now + ms
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter(other => other !== next)
        now = Math.max(now, next.at)
        next.run()
        await settle()
      }
      now = until
      await settle()
    },
    pending: () => timers.length,
  }
}
