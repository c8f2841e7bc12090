/** The product API's social routes over real HTTP, by its documented contract: a flow belongs to one client and is used once. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

export type Service = Awaited<ReturnType<typeof startService>>
export type Flow = Service['flows'][number]

function sha256(text: unknown) {
  return createHash('sha256').update(String(text)).digest('base64url')
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text ? JSON.parse(text) : {}
}
const credentials = [{ id: 'c1', method: 'oauth', provider: 'google', name: 'ann', createdAt: 1, lastUsedAt: 1 }]
const user = {
  id: 'u1',
  username: null,
  email: null,
  phoneNumber: null,
  metadata: {},
  createdAt: 1,
  lastSignInAt: 1,
  step: 'done',
  credentials,
  mfa: { devices: [], recoveryCodes: 0 },
}

function createFlow(flowId: string, provider: string, body: Record<string, unknown>) {
  const text = (name: string) => String(body[name] ?? '')
  const [stateHash, nonceHash, codeChallenge] = [text('stateHash'), text('nonceHash'), text('codeChallenge')]
  const [redirectUrl, mode, shop] = [text('redirectUrl'), text('mode'), text('shop')]
  return { flowId, provider, stateHash, nonceHash, codeChallenge, redirectUrl, mode, shop }
}

function tokens() {
  return { sessionId: 's1', accessToken: 'a.b.c', refreshToken: 'r', expiresAt: Date.now() + 3_600_000 }
}

export async function startService() {
  const flows: ReturnType<typeof createFlow>[] = []
  const used = new Set<string>()
  const exchanges: { route: string; body: Record<string, unknown> }[] = []
  const failing = new Map<string, { status: number; body: object }>()

  const exchange = (route: string, body: Record<string, unknown>): [number, object] => {
    exchanges.push({ route, body })
    const flow = flows.find(({ flowId }) => flowId === body.flowId)
    if (!flow || used.has(flow.flowId)) return [400, { code: 'session_timeout', message: 'The flow has expired.' }]
    used.add(flow.flowId)
    const { state, nonce, codeVerifier } = body
    const matches =
      sha256(state) === flow.stateHash &&
      sha256(nonce) === flow.nonceHash &&
      sha256(codeVerifier) === flow.codeChallenge
    if (!matches) return [401, { code: 'verification_error', message: 'Not proved.' }]
    if (route === 'link') return [201, { credential: credentials[0], step: 'done' }]
    return [200, { status: 'authenticated', isNewUser: true, user, ...tokens() }]
  }
  const answer = (method: string, path: string, body: Record<string, unknown>): [number, object] => {
    const [, area = '', provider = '', route = ''] =
      /\/sdk\/[\w-]+\/(social|users|auth)\/([\w-]+)\/?(\w*)/.exec(path) ?? []
    const instead = failing.get(route)
    failing.delete(route)
    if (instead) return [instead.status, instead.body]
    if (area === 'social' && route === 'flow') {
      const flowId = `flow-${flows.length + 1}`
      const flow = createFlow(flowId, provider, body)
      flows.push(flow)
      const authorizationUrl = `https://${provider}.example/authorize?state=${flow.stateHash}`
      return [201, { flowId, authorizationUrl, expiresAt: Date.now() + 600_000 }]
    }
    if (area === 'social') return exchange(route, body)
    if (area === 'users' && method === 'DELETE') return [204, {}]
    if (area === 'users') return [200, user]
    return [404, { code: 'not_found', message: path }]
  }
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    response.setHeader('access-control-allow-origin', headers.origin ?? '*')
    response.setHeader('access-control-allow-credentials', 'true')
    response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    const [status, body] = method === 'OPTIONS' ? [204, {}] : answer(method, url, await readBody(request))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(status === 204 ? undefined : JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/api/v0`,
    /** In creation order. */
    flows,
    /** Requests to exchange or link. */
    exchanges,
    fail(route: 'flow' | 'exchange' | 'link' | 'credentials', status: number, body: object) {
      failing.set(route, { status, body })
    },
    heal: () => failing.clear(),
    stop: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
