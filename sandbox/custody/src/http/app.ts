/** The HTTP side: queries and activities by their addresses, errors in the protocol's shape, one line of the log each. */
import { randomUUID } from 'node:crypto'
import { bodyReader } from '@keybay/sandbox-service/body'
import { describeError, JSON_HEADERS, logRequest, mountHealth } from '@keybay/sandbox-service/json'
import { type Context, Hono } from 'hono'
import { kinds } from '../activities/kinds.js'
import { submit } from '../activities/submit.js'
import { ask, queries } from '../queries/queries.js'
import { activityView } from '../queries/views.js'
import type { Services } from '../services.js'
import { CustodyError, internalError, invalidRequest, notFound, originDenied } from './errors.js'

const MOST_BODY = 256 * 1024
const ALLOWED_HEADERS = 'content-type, x-stamp, x-stamp-webauthn, x-client-version'
const HEADERS: Readonly<Record<string, string>> = { ...JSON_HEADERS, 'content-type': 'application/json' }

const { readBody, parseBody } = bodyReader({
  payloadTooLarge: () => new CustodyError(invalidRequest, { reason: 'The body is too large.' }),
  jsonNeeded: () => new CustodyError(invalidRequest, { reason: 'Send the body as application/json.' }),
  invalidRequest: details => new CustodyError(invalidRequest, { ...details }),
})

export interface AppParts {
  readonly services: Services
  /** Of the operator's own organisation. */
  readonly organizationId: string
  /** Resolves while the database answers. */
  readonly ready: () => Promise<void>
  /** Keeps work that goes on after its answer. */
  readonly later: (work: Promise<unknown>) => void
}

export function createApp({ services, organizationId, ready, later }: AppParts): Hono {
  const app = new Hono()
  mountHealth(app, ready)
  // Public: what a client needs to know of a service that is not Turnkey's.
  app.get('/enclave', c => {
    c.header('access-control-allow-origin', '*')
    return c.json({ organizationId, signerPublicKey: services.enclave.publicKey })
  })
  for (const query of queries)
    mount(app, services, `/public/v1/query/${query.path}`, (c, raw, body) =>
      ask(services, query, raw, body, name => c.req.header(name)),
    )
  for (const kind of kinds)
    mount(app, services, `/public/v1/submit/${kind.path}`, async (c, rawBody, body) => ({
      activity: activityView(
        await submit(services, { kind, rawBody, body, later, header: name => c.req.header(name) }),
      ),
    }))
  app.notFound(c => c.json(new CustodyError(notFound), 404, HEADERS))
  return app
}

function mount(
  app: Hono,
  services: Services,
  path: string,
  handle: (c: Context, raw: string, body: unknown) => Promise<object>,
): void {
  app.options(path, c => {
    const headers = originHeaders(services, c.req.header('origin'))
    return new Response(null, {
      status: headers ? 204 : 403,
      headers: {
        ...HEADERS,
        ...headers,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '600',
      },
    })
  })
  app.post(path, c => answer(services, c, path, handle))
}

/** Undefined for a page that may not use the service. */
function originHeaders({ origins }: Services, origin: string | undefined): Record<string, string> | undefined {
  if (origin === undefined) return {}
  return origins.includes(origin) ? { 'access-control-allow-origin': origin } : undefined
}

async function answer(
  services: Services,
  c: Context,
  route: string,
  handle: (c: Context, raw: string, body: unknown) => Promise<object>,
): Promise<Response> {
  const started = performance.now()
  const requestId = randomUUID()
  const origin = originHeaders(services, c.req.header('origin'))
  let failure: CustodyError | undefined
  let value: object | undefined
  try {
    if (!origin) throw new CustodyError(originDenied)
    const raw = await readBody(c.req.raw, MOST_BODY)
    value = await handle(c, raw, parseBody(raw, c.req.header('content-type') ?? null))
  } catch (error) {
    failure = error instanceof CustodyError ? error : new CustodyError(internalError, { requestId })
    if (failure !== error)
      services.log({ level: 'error', message: 'unexpected error', requestId, error: describeError(error) })
  }
  const status = failure?.status ?? 200
  logRequest(services.log, { requestId, method: c.req.method, route, status, started, code: failure?.spec.name })
  return new Response(JSON.stringify(failure ?? value), {
    status,
    headers: { ...HEADERS, ...origin, 'x-request-id': requestId },
  })
}
