/** Shared parts of the JSON services: health checks, headers against caching and framing, error text and request lines for the log. */
import { setTimeout } from 'node:timers/promises'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import type { Hono } from 'hono'
import type { Log } from '../log.js'

export const JSON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'Origin',
}

/** Request headers that the OpenTelemetry of a page adds (W3C Trace Context). Preflight requests ask for them. */
export const TRACE_HEADERS = 'traceparent, tracestate'

/** Time that the database has to answer `GET /ready`: less than a load balancer waits. */
const READY_TIMEOUT_MS = 2_000

/**
 * Mounts `GET /health`, which succeeds while the process runs, and `GET /ready`, which also needs the database.
 * @param ready resolves while the database responds
 */
export function mountHealth(app: Hono, ready: () => Promise<void>): void {
  app.get('/health', c => c.json({ status: 'ok' }))
  app.get('/ready', async c => {
    const late = new AbortController()
    const isReady = await Promise.race([
      ready().then(
        () => true,
        () => false,
      ),
      setTimeout(READY_TIMEOUT_MS, false, { signal: late.signal }).catch(() => false),
    ])
    late.abort()
    return c.json({ status: isReady ? 'ready' : 'unavailable' }, isReady ? 200 : 503)
  })
}

/** Returns PostgreSQL's error code for a failed statement. */
export function sqlState({ cause }: DrizzleQueryError): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code'
}

/**
 * Describes an error for the log: message and stack. For a failed query only the statement and the driver's code,
 * because its message and fields quote values: addresses, hashes.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof DrizzleQueryError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { query, cause, stack = '' } = error
  const frames = stack.slice(stack.indexOf('\n    at '))
  return `Failed query (${cause?.name}, ${sqlState(error)}): ${query}${frames}`
}

export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** Route pattern, never the URL: URLs, queries and headers can contain private data. */
  readonly route: string
  readonly status: number
  /** Start time from `performance.now()`. */
  readonly started: number
  /** Code of the error that was sent. */
  readonly code?: string | undefined
  /** Fields that the handler added. */
  readonly noted?: Readonly<Record<string, unknown>>
}

/** Logs a server error at the error level. */
export function logRequest(log: Log, { started, code, noted, ...request }: AnsweredRequest): void {
  log({
    level: request.status >= 500 ? 'error' : 'info',
    message: 'request',
    ...request,
    ms: Math.round((performance.now() - started) * 10) / 10,
    ...(code !== undefined && { code }),
    ...noted,
  })
}
