/** What the services that answer JSON say alike: whether they run, how an answer is kept out of caches and frames, what the log reads of a request and of an error. */
import { DrizzleQueryError } from 'drizzle-orm/errors'
import type { Hono } from 'hono'

export { type AnsweredRequest, logRequest } from './request-log.js'

/** Of every answer. */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'Origin',
}

/**
 * `GET /health` while the process runs, `GET /ready` while its database answers too.
 *
 * @param ready resolves while the database answers
 */
export function mountHealth(app: Hono, ready: () => Promise<void>): void {
  app.get('/health', c => c.json({ status: 'ok' }))
  app.get('/ready', async c => {
    const isReady = await ready().then(
      () => true,
      () => false,
    )
    return c.json({ status: isReady ? 'ready' : 'unavailable' }, isReady ? 200 : 503)
  })
}

/** PostgreSQL's code for what went wrong with a statement. */
export function sqlState({ cause }: DrizzleQueryError): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code'
}

/**
 * For the log: an error's message and stack. Of a query that failed the statement and the driver's code, because its
 * message and its fields quote the values: addresses, hashes.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof DrizzleQueryError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { query, cause, stack = '' } = error
  const frames = stack.slice(stack.indexOf('\n    at '))
  return `Failed query (${cause?.name}, ${sqlState(error)}): ${query}${frames}`
}
