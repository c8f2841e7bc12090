/**
 * Sends error entries to the product API (S7.6): batched, bounded, and never about itself.
 * A plugin of its own, so that a host without an API does not pay for it; `account()` brings it along.
 */

import type { Kernel } from './kernel.js'
import type { LogEntry } from './logger.js'
import { definePlugin, type Plugin } from './plugin.js'
import type { Clock } from './spec/clock.js'
import { VERSION } from './version.js'

const BATCH_MS = 1000
const MOST = 50
/** Browsers refuse a keepalive body above 64 KiB. */
const KEEPALIVE_BYTES = 60_000

function createSink(url: string, clock: Clock): (entry: LogEntry) => void {
  let waiting: unknown[] = []
  const flush = () => {
    const body = JSON.stringify(waiting)
    waiting = []
    const keepalive = new TextEncoder().encode(body).length < KEEPALIVE_BYTES
    // Its own failure is silent, because reporting it would never end.
    void fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive }).catch(
      () => {},
    )
  }
  return ({ level, message, meta, stack }) => {
    if (level !== 'error' || waiting.length >= MOST) return
    if (!waiting.length) clock.after(BATCH_MS, flush)
    // Never the query or the fragment: they may carry codes and tokens.
    const { origin, pathname } = globalThis.location ?? {}
    waiting.push({ level, message, meta, stack, url: { origin, pathname }, userAgent: globalThis.navigator?.userAgent })
  }
}

/** Sends what is logged as an error to `POST /api/v1/{environmentId}` of the product API. Without a `baseApiUrl` nothing is sent. */
export function sendErrors({ config, clock, events }: Pick<Kernel, 'config' | 'clock' | 'events'>): void {
  if (config.baseApiUrl)
    events.on('log', createSink(new URL(`/api/v1/${config.environmentId}`, config.baseApiUrl).href, clock))
}

/** @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [logSink(), walletStandard()] }) */
export function logSink(): Plugin<'log-sink'> {
  return definePlugin({
    id: 'log-sink',
    version: VERSION,
    kit: true,
    setup(kernel) {
      sendErrors(kernel)
      return {}
    },
  })
}
