/**
 * Handles every request: builds a {@link Call}, formats errors as `{ code, message, details? }` and logs one line.
 * R1 serves frames. R2 serves only R1, which forwards the frames' requests: the same routes and the same checks.
 */
import {
  type Answer,
  answerRequest,
  bodyReader,
  type ErrorDetails,
  isStorable,
  JSON_HEADERS,
  type Reply,
  TRACE_HEADERS,
} from '@keybay/sandbox-service/http'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import { answerComparison, answerHistory, comparison, history, newRecord } from '../ceremonies/peer-log.js'
import { receiveRecord } from '../ceremonies/take.js'
import type { Environment } from '../environments.js'
import { RelayError } from '../http/errors.js'
import { BODY_BYTES, type Call, type FromPeer, type Head, LARGE_BODY_BYTES, parse, type Route } from '../http/route.js'
import { readOperatorMessage } from '../operator/message.js'
import { runOperatorMessage } from '../operator/user.js'
import { handedOn } from '../peer.js'
import { partyRoute } from '../routes/wallets.js'
import type { Services } from '../services.js'
import { admit, type Incoming } from './admit.js'
import { openApiDocument, routes } from './routes.js'

const signedMessage = v.strictObject({ message: v.pipe(v.string(), v.maxLength(4096)) })

/** A request forwarded by R1 contains the frame's whole request as text. */
const MAX_PEER_BYTES = 4 * LARGE_BODY_BYTES

const { readBody, parseBody } = bodyReader({
  payloadTooLarge: () => new RelayError('payload_too_large'),
  jsonNeeded: () => new RelayError('unsupported_media_type'),
  invalidRequest: details => new RelayError('invalid_request', details),
})

const ALLOWED_HEADERS = `authorization, content-type, x-keybay-session, x-keybay-device, x-keybay-mfa-token, ${TRACE_HEADERS}`
const ENVIRONMENT_PATH = /^\/api\/v0\/sdk\/[^/]+/

const patterns = routes.map(route => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Adds the relay's routes to the service's app. */
export function mountRelay(app: Hono, services: Services): void {
  const isR1 = services.party === 'R1'
  const document = openApiDocument(services.publicUrl)
  app.get('/api/v0/openapi.json', c => {
    c.header('access-control-allow-origin', '*')
    return c.json(document)
  })
  // Calls between relays belong to no environment.
  const environment = anyEnvironment(services)
  app.get('/api/v0/party', c =>
    answer(services, c, { route: '/party', environment }, async incoming =>
      ok(await partyRoute.run(await admit(incoming, partyRoute), {}, undefined)),
    ),
  )
  mountRoute(app, services, partyRoute)
  if (isR1) for (const route of routes) mountRoute(app, services, route)
  else mountPeer(app, services)
  mountOperator(app, services)
  mountQuestion(app, services, '/compare', comparison.question, question => answerComparison(services, question))
  mountQuestion(app, services, '/history', history.question, question => answerHistory(services, question))
  app.all('/api/v0/sdk/:environmentId/*', c => {
    const isKnown = isR1 && patterns.some(({ pattern }) => pattern.test(c.req.path.replace(ENVIRONMENT_PATH, '')))
    return answer(services, c, { route: 'unknown' }, async () => {
      throw new RelayError(isKnown ? 'method_not_allowed' : 'not_found')
    })
  })
  app.notFound(c => c.json(new RelayError('not_found'), 404, JSON_HEADERS))
}

function anyEnvironment({ environments }: Services): Environment | undefined {
  const [environment] = environments.values()
  return environment
}

function ok(value: unknown): Answer {
  return { status: 200, value }
}

function mountRoute(app: Hono, services: Services, route: Route): void {
  const pattern = `/api/v0/sdk/:environmentId${route.path.replace(/\{(\w+)\}/g, ':$1')}`
  app.on(route.method, pattern, c =>
    answer(services, c, { route: route.path }, async incoming => {
      const call = await admit(incoming, route)
      const params = c.req.param()
      if (!isStorable(params)) throw new RelayError('invalid_request')
      if (route.access === 'device') await services.comparison.ready()
      const body = parseBody(call.rawBody, c.req.header('content-type') ?? null)
      const value = await measureRound(services, route, () => route.run(call, params, body))
      // Only requests without authority and those that fail count.
      if (route.access !== 'public') services.admissions.giveBack(incoming.network)
      return ok(value)
    }),
  )
  app.options(pattern, c =>
    answer(services, c, { route: route.path }, async ({ reply }) => {
      reply.headers['access-control-allow-methods'] = route.method
      reply.headers['access-control-allow-headers'] = ALLOWED_HEADERS
      reply.headers['access-control-max-age'] = '600'
      return { status: 204 }
    }),
  )
}

/** Takes the operator's messages about users, at both relays. */
function mountOperator(app: Hono, services: Services): void {
  app.post('/api/v0/sdk/:environmentId/operator', c =>
    answer(services, c, { route: '/operator' }, async ({ head, network, read }) => {
      if (head.header('origin') !== undefined) throw new RelayError('origin_not_allowed')
      if (!services.admissions.take(network)) throw new RelayError('too_many_requests', { retryAfter: 1 })
      const { message } = parse('body', signedMessage, parseBody(await read(BODY_BYTES), 'application/json'))
      const value = await runOperatorMessage(head, await readOperatorMessage(head, message))
      services.admissions.giveBack(network)
      return ok(value)
    }),
  )
}

function mountPeer(app: Hono, services: Services): void {
  const environment = anyEnvironment(services)
  app.post('/api/v0/peer', c =>
    answer(services, c, { route: '/peer', environment }, async incoming =>
      ok(await runForPeer(services, incoming.head, await readFromPeer(incoming))),
    ),
  )
  mountQuestion(app, services, '/record', newRecord, entry => receiveRecord(services, entry))
}

/** Serves a question about records to the other relay alone, and signs the answer. */
function mountQuestion<S extends v.GenericSchema>(
  app: Hono,
  services: Services,
  path: string,
  question: S,
  respond: (question: v.InferOutput<S>) => Promise<unknown>,
): void {
  const environment = anyEnvironment(services)
  app.post(`/api/v0/peer${path}`, c =>
    answer(services, c, { route: `/peer${path}`, environment }, async incoming => {
      const body = parse('body', question, await readFromPeer(incoming))
      return ok(services.peer.signAnswer(await respond(body), c.req.header('x-keybay-peer')))
    }),
  )
}

/** Reads the body of a request that the other relay signed. @throws RelayError `unauthorized` */
async function readFromPeer({ head, read }: Incoming): Promise<unknown> {
  const refuseOtherBytes = await head.services.peer.verify(head.header('x-keybay-peer'))
  const rawBody = await read(MAX_PEER_BYTES)
  refuseOtherBytes(rawBody)
  return parseBody(rawBody, 'application/json')
}

/** Runs a frame's request that R1 forwarded. @throws RelayError */
async function runForPeer(services: Services, outer: Head, body: unknown): Promise<unknown> {
  const forwarded = parse('body', handedOn, body)
  const headers: Readonly<Record<string, string | undefined>> = forwarded.headers
  const environment = services.environments.get(forwarded.environmentId)
  if (!environment) throw new RelayError('environment_not_found')
  const match = patterns.find(({ pattern }) => pattern.test(forwarded.path))
  if (!match) throw new RelayError('not_found')
  const call: Call = {
    services,
    environment,
    path: forwarded.path,
    rawBody: forwarded.rawBody,
    requestId: outer.requestId,
    header: name => headers[name],
    fromPeer: { mfa: forwarded.mfa, extra: forwarded.extra } satisfies FromPeer,
    checked: {},
    note: outer.note,
  }
  if (match.route.access === 'device') await services.comparison.ready()
  const params = match.pattern.exec(forwarded.path)?.groups
  const rawValue = parseBody(forwarded.rawBody, 'application/json')
  return measureRound(services, match.route, () => match.route.run(call, { ...params }, rawValue))
}

/** Measures a use of a share or a signature. At R2 all of them have the route of its peer. */
async function measureRound<T>(services: Services, { access, path }: Route, run: () => Promise<T>): Promise<T> {
  if (access !== 'device') return run()
  const started = performance.now()
  let result = 'ok'
  try {
    return await run()
  } catch (error) {
    result = error instanceof RelayError && error.status < 500 ? 'refused' : 'failed'
    throw error
  } finally {
    services.measureRound(started, { route: path, result })
  }
}

interface RouteOptions {
  /** Route name for the log. */
  readonly route: string
  /** Environment of the request; default: the environment that the path names. */
  readonly environment?: Environment | undefined
}

interface Request extends Incoming {
  readonly reply: Reply
}

function answer(
  services: Services,
  c: Context,
  { route, environment = services.environments.get(c.req.param('environmentId') ?? '') }: RouteOptions,
  handle: (request: Request) => Promise<Answer>,
): Promise<Response> {
  const options = {
    log: services.log,
    route,
    knownFailure: (error: unknown) => (error instanceof RelayError ? error : undefined),
    internalError: (details: { readonly requestId: string }) => new RelayError('internal_error', details),
    serviceUnavailable: (details: ErrorDetails) => new RelayError('service_unavailable', details),
  }
  return answerRequest(c, options, async reply => {
    if (!environment) throw new RelayError('environment_not_found')
    const origin = c.req.header('origin')
    if (origin !== undefined) {
      if (!environment.frameOrigins.includes(origin)) {
        reply.refusedOrigin = origin
        throw new RelayError('origin_not_allowed')
      }
      reply.headers['access-control-allow-origin'] = origin
      reply.headers['access-control-expose-headers'] = 'retry-after, x-request-id'
    }
    const head: Head = {
      services,
      environment,
      path: c.req.path.replace(ENVIRONMENT_PATH, ''),
      requestId: reply.requestId,
      header: name => c.req.header(name),
      fromPeer: undefined,
      checked: {},
      note: fields => Object.assign(reply.noted, fields),
    }
    const network = services.networkOf(c)
    return handle({ head, network, read: most => readBody(c.req.raw, most), reply })
  })
}
