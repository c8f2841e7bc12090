/** Sends error entries to the product API (S7.6): batched, bounded, and never about itself. */
import type { Clock } from './clock.js'
import type { LogEntry } from './logger.js'

const BATCH_MS = 1000
const MOST = 50
/** Browsers refuse a keepalive body above 64 KiB. */
const KEEPALIVE_BYTES = 60_000

/** @returns takes an entry; its own failures are silent, because reporting them would never end. */
export const createLogSink = (url: string, clock: Clock): ((entry: LogEntry) => void) => {
  let waiting: unknown[] = []
  const flush = () => {
    const body = JSON.stringify(waiting)
    waiting = []
    const keepalive = body.length < KEEPALIVE_BYTES
    void fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive }).catch(
      () => {},
    )
  }
  return ({ level, message, meta, stack }) => {
    if (waiting.length >= MOST) return
    if (!waiting.length) clock.after(BATCH_MS, flush)
    // Never the query or the fragment: they may carry codes and tokens.
    const { origin, pathname } = globalThis.location ?? {}
    waiting.push({ level, message, meta, stack, url: { origin, pathname }, userAgent: globalThis.navigator?.userAgent })
  }
}
