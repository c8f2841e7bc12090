/** Routes queries and activities, formats errors for the protocol and logs a line per request. */
import {
  answerRequest,
  bodyReader,
  type ErrorDetails,
  JSON_HEADERS,
  type Reply,
  TRACE_HEADERS,
} from '@keybay/sandbox-service/http'
import type { Hono } from 'hono'
import { kinds } from '../activities/kinds.js'
import { submit } from '../activities/submit.js'
import { CustodyError, internalError, invalidRequest, notFound, originDenied, unavailable } from '../http/errors.js'

import type { Admission } from '../limits.js'
import { runOperatorMessage } from '../operator/organizations.js'

import { ask, queries } from '../queries/queries.js'
import { activityView } from '../queries/views.js'
import type { Services } from '../services.js'

const MAX_BODY_BYTES = 256 * 1024
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': `content-type, x-stamp, x-stamp-webauthn, x-client-version, ${TRACE_HEADERS}`,
  'access-control-max-age': '600',
}

const { readBody, parseBody } = bodyReader({
  payloadTooLarge: () => new CustodyError(invalidRequest, { reason: 'The body is too large.' }),
  jsonNeeded: () => new CustodyError(invalidRequest, { reason: 'Send the body as application/json.' }),
  invalidRequest: details => new CustodyError(invalidRequest, { ...details }),
})

export interface CustodyParts {
  readonly services: Services
  /** The operator's organization. */
  readonly organizationId: string
  readonly keepRunning: (work: Promise<unknown>) => void
}

interface Request {
  readonly rawBody: string
  readonly body: unknown
  readonly admission: Admission
  header(name: string): string | undefined
}
type Handle = (request: Request) => Promise<object>

/** Adds the queries and activities to the service's app. */
export function mountCustody(app: Hono, { services, organizationId, keepRunning }: CustodyParts): void {
  // Public data that a client needs to use a service other than Turnkey's.
  app.get('/enclave', c =>
    answerRequest(c, answerOptions(services, '/enclave'), async reply => {
      reply.headers['access-control-allow-origin'] = '*'
      services.limits.admit(services.networkOf(c), '')
      return { status: 200, value: { organizationId, signerPublicKey: services.enclave.publicKey } }
    }),
  )
  for (const query of queries)
    mount(app, services, `/public/v1/query/${query.path}`, request => ask(services, query, request))
  for (const kind of kinds)
    mount(app, services, `/public/v1/submit/${kind.path}`, async request => ({
      activity: activityView(await submit(services, { kind, later: keepRunning, ...request })),
    }))
  mount(app, services, '/operator/organizations', async request => {
    if (request.header('origin') !== undefined) throw new CustodyError(originDenied)
    return runOperatorMessage(services, request)
  })
  app.notFound(c => c.json(new CustodyError(notFound), 404, JSON_HEADERS))
}

function answerOptions({ log }: Services, route: string) {
  return {
    log,
    route,
    knownFailure: (error: unknown) => (error instanceof CustodyError ? error : undefined),
    internalError: (details: { readonly requestId: string }) => new CustodyError(internalError, details),
    serviceUnavailable: (details: ErrorDetails) => new CustodyError(unavailable, details),
  }
}

function mount(app: Hono, services: Services, path: string, handle: Handle): void {
  app.options(path, c =>
    answerRequest(c, answerOptions(services, path), async reply => {
      admitOrigin(services, reply, c.req.header('origin'))
      Object.assign(reply.headers, PREFLIGHT_HEADERS)
      return { status: 204 }
    }),
  )
  app.post(path, c =>
    answerRequest(c, answerOptions(services, path), async reply => {
      admitOrigin(services, reply, c.req.header('origin'))
      const rawBody = await readBody(c.req.raw, MAX_BODY_BYTES)
      const admission = services.limits.admit(services.networkOf(c), rawBody)
      const body = parseBody(rawBody, c.req.header('content-type') ?? null)
      return { status: 200, value: await handle({ rawBody, body, admission, header: name => c.req.header(name) }) }
    }),
  )
}

/** Lets a page of an allowed origin read the response. @throws CustodyError for other origins */
function admitOrigin({ origins }: Services, reply: Reply, origin: string | undefined): void {
  if (origin === undefined) return
  if (!origins.includes(origin)) {
    reply.refusedOrigin = origin
    throw new CustodyError(originDenied)
  }
  reply.headers['access-control-allow-origin'] = origin
}
