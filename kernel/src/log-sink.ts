/**
 * Sends error entries to the product API (S7.6): batched, bounded, and not its own.
 * A separate plugin, so that a host without an API does not load it; `account()` includes it.
 */
import { apiHeaders, credentialsOf } from './api-headers.js'
import type { Kernel } from './kernel.js'
import type { LogEntry } from './logger.js'
import { definePlugin, type Plugin } from './plugin.js'
import { VERSION } from './version.js'

const BATCH_MS = 1000
const MAX_BATCH = 50
/** Browsers refuse a keepalive body above 64 KiB. */
const MAX_KEEPALIVE_BYTES = 60_000

type Parts = Pick<Kernel, 'config' | 'clock' | 'session'>

function createSink(url: string, { config, clock, session }: Parts): (entry: LogEntry) => void {
  let waiting: unknown[] = []
  const flush = async () => {
    const body = JSON.stringify(waiting)
    waiting = []
    const keepalive = new TextEncoder().encode(body).length < MAX_KEEPALIVE_BYTES
    // An error while the session cannot be renewed, such as the renewal's own, is sent without a token.
    const bearer = await session.bearer().catch(() => undefined)
    const headers = { ...apiHeaders(bearer), 'content-type': 'application/json' }
    await fetch(url, { method: 'POST', headers, body, keepalive, credentials: credentialsOf(config) })
  }
  return ({ level, message, meta, stack }) => {
    if (level !== 'error' || waiting.length >= MAX_BATCH) return
    // Its own failures stay silent: reporting one would cause the next.
    if (!waiting.length) clock.after(BATCH_MS, () => void flush().catch(() => {}))
    // Without the query and the fragment, which may carry codes and tokens.
    const { origin, pathname } = globalThis.location ?? {}
    waiting.push({ level, message, meta, stack, url: { origin, pathname }, userAgent: globalThis.navigator?.userAgent })
  }
}

/**
 * Returns a function that sends entries of level `error` to `POST /api/v1/{environmentId}` of the product API. It sends
 * nothing without a `baseApiUrl`.
 */
export function sendErrors(kernel: Parts): (entry: LogEntry) => void {
  const { baseApiUrl, environmentId } = kernel.config
  return baseApiUrl ? createSink(new URL(`/api/v1/${environmentId}`, baseApiUrl).href, kernel) : () => {}
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
