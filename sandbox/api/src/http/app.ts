/** The HTTP side: every request becomes a {@link Call}, every error `{ code, message, details? }`, and one line of the log. */
import { randomUUID } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { credentialRoutes } from '../routes/credentials.js'
import { environmentRoutes } from '../routes/environment.js'
import { mfaRoutes } from '../routes/mfa.js'
import { sessionRoutes } from '../routes/session.js'
import { signInRoutes } from '../routes/sign-in.js'
import { userRoutes } from '../routes/user.js'
import type { Services } from '../services.js'
import { isStorable, parseBody, readBody } from './body.js'
import type { Call, Cookie } from './call.js'
import {
  ApiError,
  environmentNotFound,
  internalError,
  invalidRequest,
  methodNotAllowed,
  notFound,
  originNotAllowed,
} from './errors.js'
import { storeLogs } from './log-sink.js'
import { networkOf } from './network.js'
import { openApiDocument } from './openapi.js'
import type { RawInput, Route } from './route.js'

const MOST_BODY = 64 * 1024
const MOST_LOG_BODY = 512 * 1024

const routes: readonly Route[] = [
  ...environmentRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...credentialRoutes,
  ...mfaRoutes,
]

const ALLOWED_HEADERS = 'authorization, content-type, dpop, x-keybay-version, x-keybay-api-version, x-keybay-mfa-token'

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'Origin',
}

const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'retry-after, x-request-id',
})

export interface AppParts {
  readonly services: Services
  /** Resolves while the database answers. */
  readonly ready: () => Promise<void>
}

export const createApp = ({ services, ready }: AppParts): Hono => {
  const app = new Hono()
  const document = openApiDocument(routes, services.publicUrl)
  app.get('/health', c => c.json({ status: 'ok' }))
  app.get('/ready', async c => {
    const isReady = await ready().then(
      () => true,
      () => false,
    )
    return c.json({ status: isReady ? 'ready' : 'unavailable' }, isReady ? 200 : 503)
  })
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
  const rest = (c: Context) =>
    answer(services, c, 'unknown', MOST_BODY, async () => {
      throw new ApiError(isKnownPath(c.req.path) ? methodNotAllowed : notFound)
    })
  app.all('/api/v0/sdk/:environmentId/*', rest)
  app.all('/api/v1/:environmentId', rest)
  app.notFound(c => c.json(new ApiError(notFound), 404, HEADERS))
  return app
}

const patterns = routes.map(
  ({ path }) => new RegExp(`^/api/v0/sdk/[^/]+${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
)
const isKnownPath = (path: string): boolean =>
  path.startsWith('/api/v1/') || patterns.some(pattern => pattern.test(path))

type Handle = (call: Call, input: RawInput) => Promise<{ status: number; value: unknown } | null>

const answer = async (
  services: Services,
  c: Context,
  route: string,
  mostBody: number,
  handle: Handle,
): Promise<Response> => {
  const started = performance.now()
  const requestId = randomUUID()
  const headers = new Headers({ ...HEADERS, 'x-request-id': requestId })
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
      for (const [name, value] of Object.entries(corsHeaders(origin))) headers.set(name, value)
    }
    preflight = c.req.method === 'OPTIONS'
    if (preflight) {
      headers.set('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
      headers.set('access-control-allow-headers', ALLOWED_HEADERS)
      headers.set('access-control-max-age', '600')
    } else {
      const rawBody = await readBody(c.req.raw, mostBody)
      const input = {
        params: c.req.param(),
        query: c.req.query(),
        body: parseBody(rawBody, c.req.header('content-type') ?? null),
      }
      if (!isStorable([input.params, input.query])) throw new ApiError(invalidRequest)
      result = await handle(callOf(services, c, { environment, origin, rawBody, headers, noted }), input)
    }
  } catch (error) {
    failure = error instanceof ApiError ? error : new ApiError(internalError, { requestId })
    if (failure !== error)
      services.log({ level: 'error', message: 'unexpected error', requestId, error: describe(error) })
  }
  const status = failure?.status ?? result?.status ?? 204
  services.log({
    level: status >= 500 ? 'error' : 'info',
    message: 'request',
    requestId,
    method: c.req.method,
    // The pattern and never the address: addresses and queries carry what is private.
    route,
    status,
    ms: Math.round((performance.now() - started) * 10) / 10,
    ...(failure && { code: failure.code }),
    ...noted,
  })
  if (failure?.retryAfter !== undefined) headers.set('retry-after', String(failure.retryAfter))
  if (status === 204) return new Response(null, { status, headers })
  headers.set('content-type', 'application/json')
  return new Response(JSON.stringify(failure ?? result?.value), { status, headers })
}

interface CallParts {
  readonly environment: Call['environment']
  readonly origin: string | undefined
  readonly rawBody: string
  readonly headers: Headers
  readonly noted: Record<string, string>
}

const callOf = (services: Services, c: Context, { environment, origin, rawBody, headers, noted }: CallParts): Call => ({
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
    headers.append('set-cookie', serialize(name, value, { path, maxAge, httpOnly: true, sameSite: 'Strict', secure }))
  },
  note: fields => Object.assign(noted, fields),
})

/** For the log: an error's name, message and stack; a database driver's error may hold what was asked, so not its fields. */
const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))
