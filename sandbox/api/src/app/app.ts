/** Handles every request: creates its {@link Call}, responds to errors, and logs one line. */
import { tooManyRequests } from '@keybay/kernel/spec'
import {
  type Answer,
  answerRequest,
  bodyReader,
  type ErrorDetails,
  isStorable,
  JSON_HEADERS,
  type Reply,
  sqlState,
  TRACE_HEADERS,
} from '@keybay/sandbox-service/http'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import type { Environment } from '../environments.js'
import type { Call, Cookie } from '../http/call.js'
import {
  ApiError,
  environmentNotFound,
  internalError,
  invalidRequest,
  jsonNeeded,
  methodNotAllowed,
  notFound,
  originNotAllowed,
  payloadTooLarge,
  serviceUnavailable,
  sessionExpired,
} from '../http/errors.js'
import type { RawInput } from '../http/route.js'
import { authorize } from '../mfa/step-up.js'
import type { Services } from '../services.js'
import { authenticate } from './access.js'
import { storeLogs } from './log-sink.js'
import { openApiDocument } from './openapi.js'
import { routes } from './routes.js'
import { continueFlow } from './social-callback.js'

const MAX_BODY_BYTES = 64 * 1024
const MAX_LOG_BYTES = 512 * 1024

const { readBody, parseBody } = bodyReader({
  payloadTooLarge: () => new ApiError(payloadTooLarge),
  jsonNeeded: () => new ApiError(jsonNeeded),
  invalidRequest: details => new ApiError(invalidRequest, details),
})

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': `authorization, content-type, dpop, x-keybay-version, x-keybay-api-version, x-keybay-mfa-token, x-keybay-session, ${TRACE_HEADERS}`,
  'access-control-max-age': '600',
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-request-id',
  }
}

export function mountApi(app: Hono, services: Services): void {
  const document = openApiDocument(services.publicUrl)
  app.get('/api/v0/openapi.json', c => {
    c.header('access-control-allow-origin', '*')
    return c.json(document)
  })
  for (const route of routes) {
    const pattern = `/api/v0/sdk/:environmentId${route.path.replace(/\{(\w+)\}/g, ':$1')}`
    app.on(route.method, pattern, c =>
      answer(services, c, { route: route.path }, async (call, input) => {
        const value = await route.run(call, input, { authenticate, authorize })
        return value === undefined ? { status: 204 } : { status: route.status, value }
      }),
    )
  }
  app.post('/api/v1/:environmentId', c =>
    answer(services, c, { route: '/api/v1', maxBytes: MAX_LOG_BYTES }, async (call, input) => {
      await storeLogs(call, input.body)
      return { status: 204 }
    }),
  )
  app.post('/api/v0/sdk/:environmentId/social/:provider/callback', c => answerCallback(services, c))
  const answerUnknown = (c: Context) =>
    answer(services, c, { route: 'unknown' }, async () => {
      throw new ApiError(isKnownPath(c.req.path) ? methodNotAllowed : notFound)
    })
  app.all('/api/v0/sdk/:environmentId/*', answerUnknown)
  app.all('/api/v1/:environmentId', answerUnknown)
  app.notFound(c => c.json(new ApiError(notFound), 404, JSON_HEADERS))
}

const patterns = routes.map(
  ({ path }) => new RegExp(`^/api/v0/sdk/[^/]+${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
)

function isKnownPath(path: string): boolean {
  return path.startsWith('/api/v1/') || patterns.some(pattern => pattern.test(path))
}

function findEnvironment({ environments }: Services, c: Context): Environment {
  const environment = environments.get(c.req.param('environmentId') ?? '')
  if (!environment) throw new ApiError(environmentNotFound)
  return environment
}

interface RouteLimits {
  readonly route: string
  readonly maxBytes?: number
}

function answer(
  services: Services,
  c: Context,
  { route, maxBytes = MAX_BODY_BYTES }: RouteLimits,
  handle: (call: Call, input: RawInput) => Promise<Answer>,
): Promise<Response> {
  return answerRequest(c, answerOptions(services, route), async reply => {
    const environment = findEnvironment(services, c)
    reply.noted.environmentId = environment.id
    const origin = c.req.header('origin')
    if (origin !== undefined) {
      if (!environment.origins.has(origin)) {
        reply.refusedOrigin = origin
        throw new ApiError(originNotAllowed)
      }
      Object.assign(reply.headers, corsHeaders(origin))
    }
    if (c.req.method === 'OPTIONS') {
      Object.assign(reply.headers, PREFLIGHT_HEADERS)
      return { status: 204 }
    }
    const network = services.networkOf(c)
    const rawBody = await readBody(c.req.raw, maxBytes)
    admit(services, network, rawBody, c.req.method === 'GET' ? 0 : 1)
    const body = parseBody(rawBody, c.req.header('content-type') ?? null)
    const input = { params: c.req.param(), query: c.req.query(), body }
    if (!isStorable([input.params, input.query])) throw new ApiError(invalidRequest)
    const call = createCall(services, c, { environment, network, origin, rawBody, reply })
    const handled = await handle(call, input)
    if (reply.noted.securityEvent !== undefined) await services.notices.deliverSoon()
    return handled
  })
}

/** Refuses a body before it is parsed, and a change before its proof is kept. @throws ApiError `too_many_requests` */
function admit({ bodies }: Services, network: string, body: string, least = 1): void {
  const size = Math.max(least, Math.ceil(Buffer.byteLength(body) / 1024))
  if (size > 0 && !bodies.take(network, size)) throw new ApiError(tooManyRequests, { retryAfter: 1 })
}

/** Handles a provider's form, which the browser posts. Any origin may post it, as Apple's page does. */
function answerCallback(services: Services, c: Context): Promise<Response> {
  return answerRequest(c, answerOptions(services, '/social/{provider}/callback'), async reply => {
    const environment = findEnvironment(services, c)
    const body = await readBody(c.req.raw, MAX_BODY_BYTES)
    admit(services, services.networkOf(c), body)
    reply.headers.location = await continueFlow({ services, environment }, c.req.param('provider') ?? '', body)
    return { status: 303 }
  })
}

function answerOptions({ log }: Services, route: string) {
  return {
    log,
    route,
    knownFailure,
    internalError: (details: { readonly requestId: string }) => new ApiError(internalError, details),
    serviceUnavailable: (details: ErrorDetails) => new ApiError(serviceUnavailable, details),
  }
}

interface CallParts {
  readonly environment: Environment
  readonly origin: string | undefined
  readonly network: string
  readonly rawBody: string
  readonly reply: Reply
}

function createCall(services: Services, c: Context, { environment, network, origin, rawBody, reply }: CallParts): Call {
  const { requestId } = reply
  return {
    services: { ...services, requestId, custody: run => services.custody(run, requestId) },
    environment,
    method: c.req.method,
    path: c.req.path,
    rawBody,
    network,
    origin,
    header: name => c.req.header(name),
    cookie: name => getCookie(c, name),
    setCookie: ({ name, value, path, maxAge }: Cookie) => {
      const secure = services.publicUrl.startsWith('https:')
      reply.cookies.push(serialize(name, value, { path, maxAge, httpOnly: true, sameSite: 'Strict', secure }))
    },
    note: fields => Object.assign(reply.noted, fields),
  }
}

/** PostgreSQL's foreign_key_violation: every foreign key here leads to a user or to data of a user. */
const FOREIGN_KEY_VIOLATION = '23503'

function knownFailure(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  // The user was deleted or merged during the request, which is the only way to break a foreign key here.
  const isUserGone = error instanceof DrizzleQueryError && sqlState(error) === FOREIGN_KEY_VIOLATION
  return isUserGone ? new ApiError(sessionExpired) : undefined
}
