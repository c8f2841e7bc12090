/** The HTTP side: every request becomes a {@link Call}, every error `{ code, message, details? }`, and one line of the log. */
import { randomUUID } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import { bodyReader, isStorable } from '@keybay/sandbox-service/body'
import { describeError, JSON_HEADERS, logRequest, mountHealth, sqlState } from '@keybay/sandbox-service/json'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { backupRoutes } from '../routes/backups.js'
import { credentialRoutes } from '../routes/credentials.js'
import { custodyRoutes } from '../routes/custody.js'
import { embeddedWalletRoutes } from '../routes/embedded-wallets.js'
import { environmentRoutes } from '../routes/environment.js'
import { mfaRoutes } from '../routes/mfa.js'
import { sessionRoutes } from '../routes/session.js'
import { signInRoutes } from '../routes/sign-in.js'
import { socialRoutes } from '../routes/social.js'
import { solanaRoutes } from '../routes/solana.js'
import { userRoutes } from '../routes/user.js'
import type { Services } from '../services.js'
import type { Call, Cookie } from './call.js'
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
  sessionExpired,
} from './errors.js'
import { storeLogs } from './log-sink.js'
import { networkOf } from './network.js'
import { openApiDocument } from './openapi.js'
import type { RawInput, Route } from './route.js'
import { continueFlow } from './social-callback.js'

const MOST_BODY = 64 * 1024
const MOST_LOG_BODY = 512 * 1024

const { readBody, parseBody } = bodyReader({
  payloadTooLarge: () => new ApiError(payloadTooLarge),
  jsonNeeded: () => new ApiError(jsonNeeded),
  invalidRequest: details => new ApiError(invalidRequest, details),
})

const routes: readonly Route[] = [
  ...environmentRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...credentialRoutes,
  ...mfaRoutes,
  ...backupRoutes,
  ...embeddedWalletRoutes,
  ...custodyRoutes,
  ...socialRoutes,
  ...solanaRoutes,
]

const ALLOWED_HEADERS =
  'authorization, content-type, dpop, x-keybay-version, x-keybay-api-version, x-keybay-mfa-token, x-keybay-session'

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': '600',
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-request-id',
  }
}

export interface AppParts {
  readonly services: Services
  /** Resolves while the database answers. */
  readonly ready: () => Promise<void>
}

export function createApp({ services, ready }: AppParts): Hono {
  const app = new Hono()
  const document = openApiDocument(routes, services.publicUrl)
  mountHealth(app, ready)
  app.get('/api/v0/openapi.json', c => {
    c.header('access-control-allow-origin', '*')
    return c.json(document)
  })
  for (const one of routes) {
    const pattern = `/api/v0/sdk/:environmentId${one.path.replace(/\{(\w+)\}/g, ':$1')}`
    app.on(one.method, pattern, c =>
      answer(services, c, one.path, MOST_BODY, async (call, input) => {
        const value = await one.run(call, input)
        return value === undefined ? null : { status: one.status, value }
      }),
    )
  }
  app.post('/api/v1/:environmentId', c =>
    answer(services, c, '/api/v1', MOST_LOG_BODY, async (call, input) => {
      await storeLogs(call, input.body)
      return null
    }),
  )
  app.post('/api/v0/sdk/:environmentId/social/:provider/callback', c => callback(services, c))
  const rest = (c: Context) =>
    answer(services, c, 'unknown', MOST_BODY, async () => {
      throw new ApiError(isKnownPath(c.req.path) ? methodNotAllowed : notFound)
    })
  app.all('/api/v0/sdk/:environmentId/*', rest)
  app.all('/api/v1/:environmentId', rest)
  app.notFound(c => c.json(new ApiError(notFound), 404, JSON_HEADERS))
  return app
}

/** The answer of a provider that the browser posts as a form. A page of any origin may: Apple's does. */
async function callback(services: Services, c: Context): Promise<Response> {
  const requestId = randomUUID()
  const started = performance.now()
  const log = (status: number, code?: string) =>
    logRequest(services.log, {
      requestId,
      method: 'POST',
      route: '/social/{provider}/callback',
      status,
      started,
      code,
    })
  try {
    const environment = services.environments.get(c.req.param('environmentId') ?? '')
    if (!environment) throw new ApiError(environmentNotFound)
    const body = await readBody(c.req.raw, MOST_BODY)
    const location = await continueFlow({ services, environment }, c.req.param('provider') ?? '', body)
    log(303)
    return new Response(null, { status: 303, headers: { ...JSON_HEADERS, 'x-request-id': requestId, location } })
  } catch (error) {
    const failure = failureOf(services, error, requestId)
    log(failure.status, failure.code)
    return Response.json(failure, { status: failure.status, headers: { ...JSON_HEADERS, 'x-request-id': requestId } })
  }
}

const patterns = routes.map(
  ({ path }) => new RegExp(`^/api/v0/sdk/[^/]+${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
)

function isKnownPath(path: string): boolean {
  return path.startsWith('/api/v1/') || patterns.some(pattern => pattern.test(path))
}

type Handle = (call: Call, input: RawInput) => Promise<{ status: number; value: unknown } | null>

async function answer(
  services: Services,
  c: Context,
  route: string,
  mostBody: number,
  handle: Handle,
): Promise<Response> {
  const started = performance.now()
  const requestId = randomUUID()
  // A plain object: the server writes it as it is, where Headers would be made, checked and read again.
  const headers: Record<string, string> = { ...JSON_HEADERS, 'x-request-id': requestId }
  const cookies: string[] = []
  const noted: Record<string, string> = {}
  let failure: ApiError | undefined
  let result: Awaited<ReturnType<Handle>> = null
  let preflight = false
  try {
    const environment = services.environments.get(c.req.param('environmentId') ?? '')
    if (!environment) throw new ApiError(environmentNotFound)
    noted.environmentId = environment.id
    const origin = c.req.header('origin')
    if (origin !== undefined) {
      if (!environment.origins.has(origin)) throw new ApiError(originNotAllowed)
      Object.assign(headers, corsHeaders(origin))
    }
    preflight = c.req.method === 'OPTIONS'
    if (preflight) {
      Object.assign(headers, PREFLIGHT_HEADERS)
    } else {
      const rawBody = await readBody(c.req.raw, mostBody)
      const input = {
        params: c.req.param(),
        query: c.req.query(),
        body: parseBody(rawBody, c.req.header('content-type') ?? null),
      }
      if (!isStorable([input.params, input.query])) throw new ApiError(invalidRequest)
      result = await handle(callOf(services, c, { environment, origin, rawBody, cookies, noted }), input)
    }
  } catch (error) {
    failure = failureOf(services, error, requestId)
  }
  const status = failure?.status ?? result?.status ?? 204
  const { method } = c.req
  logRequest(services.log, { requestId, method, route, status, started, code: failure?.code, noted })
  if (failure?.retryAfter !== undefined) headers['retry-after'] = String(failure.retryAfter)
  if (status === 204) return new Response(null, { status, headers: withCookies(headers, cookies) })
  headers['content-type'] = 'application/json'
  return new Response(JSON.stringify(failure ?? result?.value), { status, headers: withCookies(headers, cookies) })
}

function withCookies(headers: Record<string, string>, cookies: readonly string[]): Record<string, string> | Headers {
  if (cookies.length === 0) return headers
  const all = new Headers(headers)
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return all
}

interface CallParts {
  readonly environment: Call['environment']
  readonly origin: string | undefined
  readonly rawBody: string
  readonly cookies: string[]
  readonly noted: Record<string, string>
}

function callOf(services: Services, c: Context, { environment, origin, rawBody, cookies, noted }: CallParts): Call {
  return {
    services,
    environment,
    method: c.req.method,
    path: c.req.path,
    rawBody,
    network: networkOf(getConnInfo(c).remote.address, c.req.header('x-forwarded-for'), services.trustedProxies),
    origin,
    header: name => c.req.header(name),
    cookie: name => getCookie(c, name),
    setCookie: ({ name, value, path, maxAge }: Cookie) => {
      const secure = services.publicUrl.startsWith('https:')
      cookies.push(serialize(name, value, { path, maxAge, httpOnly: true, sameSite: 'Strict', secure }))
    },
    note: fields => Object.assign(noted, fields),
  }
}

/** PostgreSQL's foreign_key_violation: every one here leads to a user or what a user has. */
const OWNER_IS_GONE = '23503'

/** What may happen to a request that does nothing wrong: its user was deleted, or merged away, while it was under way. */
function expected(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  return error instanceof DrizzleQueryError && sqlState(error) === OWNER_IS_GONE
    ? new ApiError(sessionExpired)
    : undefined
}

/** What is answered. What nobody expected is logged, and answered without a word of it. */
function failureOf(services: Services, error: unknown, requestId: string): ApiError {
  const failure = expected(error) ?? new ApiError(internalError, { requestId })
  if (failure.code === internalError.code)
    services.log({ level: 'error', message: 'unexpected error', requestId, error: describeError(error) })
  return failure
}
