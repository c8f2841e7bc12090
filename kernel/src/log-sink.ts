/**
 * Sends error entries to the product API (S7.6): batched, bounded, and not its own.
 * A separate plugin, so that a host without an API does not load it; `account()` includes it.
 */
import type { Kernel } from './kernel.js'
import type { LogEntry } from './logger.js'
import { definePlugin, type Plugin } from './plugin.js'
import type { Clock } from './spec/clock.js'
import { VERSION } from './version.js'

const BATCH_MS = 1000
const MAX_BATCH = 50
/** Browsers refuse a keepalive body above 64 KiB. */
const MAX_KEEPALIVE_BYTES = 60_000

function createSink(url: string, clock: Clock): (entry: LogEntry) => void {
  let waiting: unknown[] = []
  const flush = () => {
    const body = JSON.stringify(waiting)
    waiting = []
    const keepalive = new TextEncoder().encode(body).length < MAX_KEEPALIVE_BYTES
    // Its own failures stay silent: reporting one would cause the next.
    void fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive }).catch(
      () => {},
    )
  }
  return ({ level, message, meta, stack }) => {
    if (level !== 'error' || waiting.length >= MAX_BATCH) return
    if (!waiting.length) clock.after(BATCH_MS, flush)
    // Without the query and the fragment, which may carry codes and tokens.
    const { origin, pathname } = globalThis.location ?? {}
    waiting.push({ level, message, meta, stack, url: { origin, pathname }, userAgent: globalThis.navigator?.userAgent })
  }
}

/**
 * Returns a function that sends entries of level `error` to `POST /api/v1/{environmentId}` of the product API. It sends
 * nothing without a `baseApiUrl`.
 */
export function sendErrors({ config, clock }: Pick<Kernel, 'config' | 'clock'>): (entry: LogEntry) => void {
  const { baseApiUrl, environmentId } = config
  return baseApiUrl ? createSink(new URL(`/api/v1/${environmentId}`, baseApiUrl).href, clock) : () => {}
}

/** @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [logSink(), walletStandard()] }) */
export function logSink(): Plugin<'log-sink'> {
  return definePlugin({
    id: 'log-sink',
    version: VERSION,
    kit: true,
    setup(kernel) {
      kernel.events.on('log', sendErrors(kernel))
      return {}
    },
  })
}
