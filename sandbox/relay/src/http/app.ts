/**
 * The HTTP side: every request becomes a {@link Call}, every error `{ code, message, details? }`, and one line of the log.
 * R1 answers frames. R2 answers R1 alone, which hands on what a frame asked: the same routes, and the same checks.
 */
import { randomUUID } from 'node:crypto'
import { bodyReader, isStorable } from '@keybay/sandbox-service/body'
import { describeError, JSON_HEADERS, logRequest, mountHealth } from '@keybay/sandbox-service/json'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { acceptRecord } from '../ceremonies/accept.js'
import type { Environment } from '../environments.js'
import { backupRoute } from '../routes/backup.js'
import { createRoutes } from '../routes/create/index.js'
import { delegatesRoute } from '../routes/delegates.js'
import { exportRoutes } from '../routes/export.js'
import { importRoutes } from '../routes/import.js'
import { joinRoutes } from '../routes/joins.js'
import { reshareRoutes } from '../routes/reshare/index.js'
import { signRoutes } from '../routes/sign.js'
import { signEvmRoutes } from '../routes/sign-evm.js'
import { signTaprootRoutes } from '../routes/sign-taproot.js'
import { partyRoute, walletRoutes } from '../routes/wallets.js'
import type { Services } from '../services.js'
import type { Call, FromPeer } from './call.js'
import {
  environmentNotFound,
  internalError,
  invalidRequest,
  jsonNeeded,
  methodNotAllowed,
  notFound,
  originNotAllowed,
  payloadTooLarge,
  RelayError,
} from './errors.js'
import { openApiDocument } from './openapi.js'
import { parse, type Route } from './route.js'

const MOST_BODY = 128 * 1024
/** What R1 hands on holds a whole request as text. */
const MOST_PEER_BODY = 4 * MOST_BODY

const { readBody, parseBody } = bodyReader({
  payloadTooLarge: () => new RelayError(payloadTooLarge),
  jsonNeeded: () => new RelayError(jsonNeeded),
  invalidRequest: details => new RelayError(invalidRequest, details),
})

const routes: readonly Route[] = [
  ...signRoutes,
  ...signEvmRoutes,
  ...signTaprootRoutes,
  ...walletRoutes,
  backupRoute,
  ...createRoutes,
  ...importRoutes,
  ...reshareRoutes,
  ...joinRoutes,
  delegatesRoute,
  ...exportRoutes,
]

const ALLOWED_HEADERS = 'authorization, content-type, x-keybay-session, x-keybay-device, x-keybay-mfa-token'
const HEADERS: Readonly<Record<string, string>> = { ...JSON_HEADERS, 'content-type': 'application/json' }

export interface AppParts {
  readonly services: Services
  /** Resolves while the database answers. */
  readonly ready: () => Promise<void>
}

export function createApp({ services, ready }: AppParts): Hono {
  const app = new Hono()
  const isR1 = services.party === 'R1'
  const document = openApiDocument([partyRoute, ...routes], services.publicUrl)
  mountHealth(app, ready)
  app.get('/api/v0/openapi.json', c => {
    c.header('access-control-allow-origin', '*')
    return c.json(document)
  })
  // Relays ask each other outside of any environment.
  const [anyEnvironment] = services.environments.values()
  app.get('/api/v0/party', c =>
    answer(services, c, '/party', anyEnvironment, call => partyRoute.run(call, {}, undefined)),
  )
  mount(app, services, partyRoute)
  if (isR1) for (const one of routes) mount(app, services, one)
  else mountPeer(app, services)
  app.all('/api/v0/sdk/:environmentId/*', c => {
    const known = isR1 && patterns.some(({ pattern }) => pattern.test(c.req.path.replace(/^\/api\/v0\/sdk\/[^/]+/, '')))
    return answer(services, c, 'unknown', environmentOf(services, c), async () => {
      throw new RelayError(known ? methodNotAllowed : notFound)
    })
  })
  app.notFound(c => c.json(new RelayError(notFound), 404, HEADERS))
  return app
}

function environmentOf(services: Services, c: Context): Environment | undefined {
  return services.environments.get(c.req.param('environmentId') ?? '')
}

function mount(app: Hono, services: Services, one: Route): void {
  const pattern = `/api/v0/sdk/:environmentId${one.path.replace(/\{(\w+)\}/g, ':$1')}`
  app.on(one.method, pattern, c =>
    answer(services, c, one.path, environmentOf(services, c), (call, body) => one.run(call, c.req.param(), body)),
  )
  app.options(pattern, c =>
    answer(services, c, one.path, environmentOf(services, c), async (_, __, headers) => {
      headers['access-control-allow-methods'] = one.method
      headers['access-control-allow-headers'] = ALLOWED_HEADERS
      headers['access-control-max-age'] = '600'
      return undefined
    }),
  )
}

const patterns = routes.map(route => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))
const recordBody = v.strictObject({ environmentId: v.string(), record: v.pipe(v.string(), v.maxLength(4096)) })

function mountPeer(app: Hono, services: Services): void {
  const [anyEnvironment] = services.environments.values()
  app.post('/api/v0/peer', c =>
    answer(services, c, '/peer', anyEnvironment, async (outer, _, __, raw) => {
      const handed = await services.peer.read(raw, c.req.header('x-keybay-peer'))
      const environment = services.environments.get(handed.environmentId)
      if (!environment) throw new RelayError(environmentNotFound)
      for (const { route, pattern } of patterns) {
        const params = pattern.exec(handed.path)?.groups
        if (pattern.test(handed.path))
          return route.run(
            callOf(services, {
              environment,
              path: handed.path,
              rawBody: handed.rawBody,
              header: name => handed.headers[name],
              fromPeer: { mfa: handed.mfa, extra: handed.extra },
              note: outer.note,
            }),
            { ...params },
            parseBody(handed.rawBody, 'application/json'),
          )
      }
      throw new RelayError(notFound)
    }),
  )
  // R1's signature in it is all the authority that a record needs.
  app.post('/api/v0/peer/record', c =>
    answer(services, c, '/peer/record', anyEnvironment, async (_, body) => {
      const { environmentId, record } = parse('body', recordBody, body)
      return { epoch: await acceptRecord(services, environmentId, record) }
    }),
  )
}

interface CallParts extends Omit<Call, 'services' | 'fromPeer'> {
  readonly fromPeer?: FromPeer
}

function callOf(services: Services, parts: CallParts): Call {
  return { fromPeer: undefined, ...parts, services }
}

type Handle = (call: Call, body: unknown, headers: Record<string, string>, raw: string) => Promise<unknown>

async function answer(
  services: Services,
  c: Context,
  route: string,
  environment: Environment | undefined,
  handle: Handle,
): Promise<Response> {
  const started = performance.now()
  const requestId = randomUUID()
  const headers: Record<string, string> = { ...HEADERS, 'x-request-id': requestId }
  const noted: Record<string, string> = {}
  let failure: RelayError | undefined
  let value: unknown
  try {
    if (!environment) throw new RelayError(environmentNotFound)
    const origin = c.req.header('origin')
    if (origin !== undefined) {
      if (!environment.frameOrigins.includes(origin)) throw new RelayError(originNotAllowed)
      headers['access-control-allow-origin'] = origin
      headers['access-control-expose-headers'] = 'x-request-id'
    }
    const rawBody = await readBody(c.req.raw, route === '/peer' ? MOST_PEER_BODY : MOST_BODY)
    const body = parseBody(rawBody, c.req.header('content-type') ?? null)
    if (!isStorable([c.req.param()])) throw new RelayError(invalidRequest)
    const call = callOf(services, {
      environment,
      path: c.req.path.replace(/^\/api\/v0\/sdk\/[^/]+/, ''),
      rawBody,
      header: name => c.req.header(name),
      note: fields => Object.assign(noted, fields),
    })
    value = await handle(call, body, headers, rawBody)
  } catch (error) {
    failure = error instanceof RelayError ? error : new RelayError(internalError, { requestId })
    if (failure !== error)
      services.log({ level: 'error', message: 'unexpected error', requestId, error: describeError(error) })
  }
  const status = failure?.status ?? (value === undefined ? 204 : 200)
  const { method } = c.req
  logRequest(services.log, { requestId, method, route, status, started, code: failure?.code, noted })
  const { retryAfter } = failure?.details ?? {}
  if (typeof retryAfter === 'number') headers['retry-after'] = String(retryAfter)
  return new Response(status === 204 ? null : JSON.stringify(failure ?? value), { status, headers })
}
