/** Responds to a request as JSON, with one request ID and one log line; no unexpected error reaches the client. */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { isDatabaseAway, RETRY_AFTER_S } from '../database/unavailable.js'
import type { Log } from '../log.js'
import { getTraceId } from '../tracing/statements.js'
import { describeError, JSON_HEADERS, logRequest } from './json.js'

export interface Failure {
  readonly status: number
  readonly code: string
  /** Seconds, sent as Retry-After. */
  readonly retryAfter?: number | undefined
}

/** Response parts that a handler can set. */
export interface Reply {
  /** ID of the request in the log. Send it as x-request-id to services that this request calls. */
  readonly requestId: string
  readonly headers: Record<string, string>
  readonly cookies: string[]
  /** Extra fields of the log line. */
  readonly noted: Record<string, string>
  /** Origin that the handler refuses. Its page can read the refusal, without credentials. */
  refusedOrigin?: string
}

export interface Answer {
  readonly status: number
  /** Sent as JSON; without it the response has no body. */
  readonly value?: unknown
}

export interface AnswerOptions {
  readonly log: Log
  /** Route pattern, for the log. */
  readonly route: string
  /** Returns an error that the client may see, or undefined for an unexpected one. */
  readonly knownFailure: (error: unknown) => Failure | undefined
  /** Creates the response to an unexpected error. */
  readonly internalError: (details: { readonly requestId: string }) => Failure
  /** Creates the response with status 503 to a request whose database is away. */
  readonly serviceUnavailable: (details: UnavailableDetails) => Failure
}

export interface UnavailableDetails {
  readonly service: 'database'
  /** Seconds */
  readonly retryAfter: number
  readonly [name: string]: unknown
}

/** The only form of a caller's ID that is logged: any client can send one. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export async function answerRequest(
  c: Context,
  { log, route, knownFailure, internalError, serviceUnavailable }: AnswerOptions,
  handle: (reply: Reply) => Promise<Answer>,
): Promise<Response> {
  const started = performance.now()
  const requestId = randomUUID()
  // Plain object: the server writes it directly, but would build, validate and read a Headers object. A copy that gets
  // more properties would be slower.
  const headers: Record<string, string> = { 'x-request-id': requestId, ...JSON_HEADERS }
  const parentRequestId = c.req.header('x-request-id')
  const reply: Reply = { requestId, headers, cookies: [], noted: {} }
  if (parentRequestId !== undefined && UUID.test(parentRequestId)) reply.noted.parentRequestId = parentRequestId
  let failure: Failure | undefined
  let answer: Answer = { status: 204 }
  try {
    answer = await handle(reply)
  } catch (error) {
    failure = knownFailure(error)
    if (!failure) {
      const isAway = isDatabaseAway(error)
      failure = isAway
        ? serviceUnavailable({ service: 'database', retryAfter: RETRY_AFTER_S })
        : internalError({ requestId })
      const message = isAway ? 'database unavailable' : 'unexpected error'
      log({ level: 'error', message, requestId, error: describeError(error) })
    }
  }
  const { status } = failure ?? answer
  const { method } = c.req
  if (failure && isOrigin(reply.refusedOrigin)) {
    reply.noted.refusedOrigin = reply.refusedOrigin
    // A preflight would give permission for requests, and its response is never readable.
    if (method !== 'OPTIONS') headers['access-control-allow-origin'] = reply.refusedOrigin
  }
  const traceId = getTraceId()
  if (traceId !== undefined) reply.noted.traceId = traceId
  logRequest(log, { requestId, method, route, status, started, code: failure?.code, noted: reply.noted })
  const retryAfter = failure?.retryAfter ?? (status === 503 ? RETRY_AFTER_S : undefined)
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  const value = failure ?? answer.value
  if (value !== undefined) headers['content-type'] = 'application/json'
  return new Response(value === undefined ? null : JSON.stringify(value), { status, headers: withCookies(reply) })
}

/** Longer than any origin: DNS allows 253 characters. */
const MAX_ORIGIN_LENGTH = 300

/** Returns true for an origin as browsers send it; other clients can send any text. */
function isOrigin(text: string | undefined): text is string {
  if (text === undefined || text.length > MAX_ORIGIN_LENGTH || !URL.canParse(text)) return false
  const { protocol, origin } = new URL(text)
  return origin === text && /^https?:$/.test(protocol)
}

function withCookies({ headers, cookies }: Reply): Record<string, string> | Headers {
  if (cookies.length === 0) return headers
  const all = new Headers(headers)
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return all
}
