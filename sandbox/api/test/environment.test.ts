/** Tests the public settings, a host's server's routes, the log sink, and the handling common to all requests. */
import { createPublicKey, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto'
import { createKeybay, definePlugin } from '@keybay/kernel'
import { createHttp, type HttpRequest } from '@keybay/kernel/http'
import { logSink } from '@keybay/kernel/log-sink'
import { createVerifier } from 'fast-jwt'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { localNetwork, startApi } from '../src/index.js'
import { APP, type CallOptions, type Kit, refused, settings, startWorld } from './client.js'
import { createServiceKeys } from './service-keys.js'

const ownToken = randomBytes(32).toString('base64url')
const keys = { ...createServiceKeys(), operatorTokens: { own: ownToken } }
const world = await startWorld({
  keys: JSON.stringify(keys),
  environments: {
    own: settings,
    local: {
      ...settings,
      networks: [{ ...localNetwork('http://localhost:8899'), privateCustomerRpcUrls: ['https://node.example/secret'] }],
    },
    other: settings,
    live: { ...settings, kind: 'live' },
  },
})
const kit = world.kit()
const apiToken = await world.apiToken()
afterAll(world.stop)

describe('settings', () => {
  it('the public settings describe the environment and contain nothing private', async () => {
    const { body } = await kit.call('/settings')
    expect(body).toMatchObject({
      environmentId: 'local',
      environment: 'sandbox',
      signIn: {
        wallet: true,
        walletTransaction: false,
        email: true,
        phone: true,
        passkey: true,
        external: false,
        social: [],
      },
      networks: [{ networkId: 104, cluster: 'localnet' }],
      mfa: { methods: ['totp', 'passkey', 'email'] },
      passkey: { rpId: 'app.localhost', rpName: 'Acme' },
      transactions: { sponsored: false },
      session: { accessTokenSeconds: 600, days: 30 },
      custody: { enabled: false, emailRecovery: true },
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })
  it('the settings of an unknown environment are not found: environment_not_found', async () =>
    refused(kit.call('/settings', { environmentId: 'nowhere' }), 404, 'environment_not_found'))
})

describe('API tokens', () => {
  const operator = (path: string, options = {}) =>
    kit.call(path, { token: world.api.operatorToken, proof: false, environmentId: 'other', ...options })
  it('the operator creates, lists and deletes up to ten API tokens: too_many_api_tokens', async () => {
    const make = (name: string) => operator('/api-tokens', { body: { name } })
    const { body: first } = await make('t0')
    for (let count = 1; count < 10; count++) expect((await make(`t${count}`)).status).toBe(201)
    await refused(make('one more'), 409, 'too_many_api_tokens')
    const { body } = await operator('/api-tokens')
    expect(body.tokens).toHaveLength(10)
    expect(JSON.stringify(body)).not.toContain(first.token)
    const ask = () => kit.call('/logs', { token: first.token, environmentId: 'other' })
    expect((await ask()).status).toBe(200)
    const remove = () => operator(`/api-tokens/${first.id}`, { method: 'DELETE' })
    expect((await remove()).status).toBe(204)
    expect((await ask()).status).toBe(401)
    expect((await remove()).status).toBe(404)
  })
  it('a token may do what its scopes name, and refuses the rest with 403 and the missing scope', async () => {
    const asked: Readonly<Record<string, (token: string) => ReturnType<Kit['call']>>> = {
      users: token => kit.call('/users/lookup?key=id&value=x', { token }),
      logs: token => kit.call('/logs', { token }),
      mfa: token => kit.call('/mfa/tokens/redeem', { token, proof: false, body: { action: 'export', mfaToken: 'x' } }),
      social: token => kit.call(`/social/google/token?userId=${randomUUID()}`, { token }),
      solana: token => kit.call('/solana/sponsor', { token }),
    }
    for (const [scope, own] of Object.entries(asked)) {
      const { body } = await operator('/api-tokens', { environmentId: 'local', body: { name: scope, scopes: [scope] } })
      expect((await own(body.token)).body).not.toMatchObject({ code: 'forbidden' })
      for (const [other, ask] of Object.entries(asked))
        if (other !== scope) await refused(ask(body.token), 403, 'forbidden', { scope: other })
    }
    await refused(operator('/api-tokens', { body: { name: 'x', scopes: [] } }), 400, 'invalid_request')
    await refused(operator('/api-tokens', { body: { name: 'x', scopes: ['all'] } }), 400, 'invalid_request')
  })
  it('a token of a live environment says what it may do', async () => {
    const make = (body: object) => operator('/api-tokens', { environmentId: 'live', body })
    await refused(make({ name: 'server' }), 400, 'invalid_request')
    expect((await make({ name: 'server', scopes: ['users'] })).body.scopes).toEqual(['users'])
  })
  it('a token of one environment is refused in another one with 403, the operator’s and a host’s server’s', async () => {
    const { operatorToken } = world.api
    for (const [environmentId, token] of [
      ['own', operatorToken],
      ['other', ownToken],
    ] as const) {
      await refused(operator('/api-tokens', { environmentId, token, body: { name: 'x' } }), 403, 'forbidden')
      await refused(
        operator(`/users/${randomUUID()}/block`, { environmentId, token, method: 'POST' }),
        403,
        'forbidden',
      )
    }
    expect((await operator('/api-tokens', { environmentId: 'own', token: ownToken })).status).toBe(200)
    expect((await operator('/api-tokens')).status).toBe(200)
    expect((await kit.call('/logs', { token: apiToken })).status).toBe(200)
    await refused(kit.call('/logs', { token: apiToken, environmentId: 'other' }), 403, 'forbidden')
  })
  it('no published key of one environment verifies an access token of another one', async () => {
    const kit = await world.signedIn('one-of-two@example.com')
    const keysOf = async (environmentId: string) =>
      (await kit.call('/.well-known/jwks.json', { environmentId })).body.keys.map((jwk: JsonWebKey) =>
        createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
      )
    const verify = (key: string) => () =>
      createVerifier({ key, algorithms: ['ES256'], clockTimestamp: world.api.clock.now() })(kit.token ?? '')
    const [own, other] = await Promise.all(['local', 'other'].map(keysOf))
    expect(own.map((key: string) => verify(key)().sub)).toEqual([expect.any(String)])
    expect(other).toHaveLength(1)
    for (const key of other) expect(verify(key)).toThrow('invalid')
  })
  it('does not start with a token of an environment that does not exist, whose other tokens would stay valid', async () => {
    const misspelt = JSON.stringify({ ...keys, operatorTokens: { owm: ownToken } })
    const options = { environments: { own: settings }, smtpUrl: 'smtp://127.0.0.1:9', smsUrl: 'http://127.0.0.1:9' }
    const starting = startApi({ mode: 'sandbox', ...options, keys: misspelt, log: () => undefined })
    await expect(starting).rejects.toThrow('API_KEYS has an operator token for "owm", which is no environment.')
  })
  it.each([
    ['is 0, from which anyone could derive its keys', 'A'.repeat(43)],
    ['is larger than P-256 allows', `${'_'.repeat(42)}8`],
    ['is not that of its public half', createServiceKeys().signing[0]?.d],
  ])('does not start with a signing key that %s', async (_, d) => {
    const wrong = JSON.stringify({ ...keys, signing: keys.signing.map(jwk => ({ ...jwk, d })) })
    const options = { environments: { own: settings }, smtpUrl: 'smtp://127.0.0.1:9', smsUrl: 'http://127.0.0.1:9' }
    const starting = startApi({ mode: 'sandbox', ...options, keys: wrong, log: () => undefined })
    await expect(starting).rejects.toThrow('API_KEYS does not hold the service')
  })
  it('only the operator can manage API tokens', async () => {
    for (const token of ['', 'x', apiToken]) expect((await operator('/api-tokens', { token })).status).toBe(401)
  })
})

describe('the log sink', () => {
  it('[S7.6] the log sink keeps the errors that the kit sends', async () => {
    const failing = definePlugin({
      id: 'failing',
      version: '0.1.0',
      setup({ logger }) {
        logger.error('It broke', { where: 'test' })
        return {}
      },
    })
    const baseApiUrl = world.api.internalUrl
    const plugins = [logSink(), failing] as const
    const keybay = createKeybay({ appName: 'Acme', environmentId: 'local', baseApiUrl, logLevel: 'silent', plugins })
    await expect
      .poll(async () => (await kit.call('/logs', { token: apiToken })).body.logs)
      .toMatchObject([{ entry: { level: 'error', message: 'It broke', meta: { where: 'test' } } }])
    keybay.dispose()
  })
  it('the log sink accepts sixty reports of a network per minute', async () => {
    const strict = await startWorld({ limitFactor: 1 })
    const report = async () => {
      const body = [{ level: 'error', message: 'again' }]
      return (await strict.kit().call('/api/v1/local', { body, proof: false })).status
    }
    for (let count = 0; count < 60; count++) expect(await report()).toBe(204)
    expect(await report()).toBe(429)
    strict.api.clock.advance(60_000)
    expect(await report()).toBe(204)
    await strict.stop()
  })
  it('the log sink accepts only pages of the environment', async () => {
    const post = (origin: string, method: string) => {
      const body = method === 'POST' ? [{ level: 'error', message: 'x' }] : undefined
      return kit.call('/api/v1/local', { method, proof: false, headers: { origin }, body })
    }
    expect((await post(APP, 'OPTIONS')).headers.get('access-control-allow-origin')).toBe(APP)
    expect((await post(APP, 'POST')).status).toBe(204)
    for (const method of ['OPTIONS', 'POST']) expect((await post('https://evil.example', method)).status).toBe(403)
  })
  it.each([
    ['object', {}],
    ['empty list', []],
    ['unknown level', [{ level: 'loud', message: 'x' }]],
    ['entry without a message', [{ level: 'error' }]],
    ['list of 51', Array(51).fill({ level: 'error', message: 'x' })],
  ])('the log sink refuses this body: %s', async (_, body) => {
    expect((await kit.call('/api/v1/local', { body, proof: false })).status).toBe(400)
  })
  it('the log sink cuts long fields, and refuses a body that is too large', async () => {
    const meta = { large: 'z'.repeat(30_000) }
    const body = [{ level: 'error', message: 'y'.repeat(5000), stack: 's'.repeat(9000), meta }]
    expect((await kit.call('/api/v1/local', { body, proof: false })).status).toBe(204)
    const { logs } = (await kit.call('/logs', { token: apiToken })).body
    const long = logs.find(({ entry }: { entry: { message: string } }) => entry.message.startsWith('yyy'))
    expect(long.entry).toMatchObject({ message: 'y'.repeat(2000), stack: 's'.repeat(8000), meta: '[large]' })
    const rawBody = `["${'x'.repeat(600_000)}"]`
    await refused(kit.call('/api/v1/local', { rawBody, proof: false }), 413, 'payload_too_large')
  })
})

function getCors({ headers }: { readonly headers: Headers }) {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

describe('pages', () => {
  it('only the exact origins of the environment may send requests with credentials', async () => {
    const preflight = (origin: string) =>
      kit.call('/users/me', { method: 'OPTIONS', headers: { origin }, proof: false })
    const allowed = await preflight(APP)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true')
    expect(allowed.headers.get('access-control-allow-headers')).toMatch(/dpop.*traceparent, tracestate/)
    expect(allowed.headers.get('vary')).toContain('Origin')
    for (const origin of [
      'https://evil.example',
      'null',
      `${APP}.evil.example`,
      'http://app.localhost:40000',
      'https://app.localhost:4000',
      'http://APP.localhost:4000',
      `${APP}/`,
    ]) {
      const answer = await preflight(origin)
      expect([origin, answer.status]).toEqual([origin, 403])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
  it.each<[string, string, CallOptions]>([
    ['a public route', '/settings', {}],
    ['a sign-in', '/auth/email', { body: { email: 'ann@example.com' } }],
    ['a body without a preflight', '/auth/email', { rawBody: '{}', headers: { 'content-type': 'text/plain' } }],
    ['an unknown route', '/nowhere', {}],
    ['the log sink', '/api/v1/local', { body: [{ level: 'error', message: 'x' }] }],
  ])('a page of a refused origin can read the refusal, and the log names its origin: %s', async (_, path, options) => {
    const origin = 'https://evil.example'
    const answer = await kit.call(path, { proof: false, ...options, headers: { origin, ...options.headers } })
    expect(answer).toMatchObject({ status: 403 })
    expect(answer.body).toEqual({ code: 'origin_not_allowed', message: 'This page may not use the environment.' })
    expect(getCors(answer)).toEqual({ 'access-control-allow-origin': origin })
    expect(answer.headers.get('vary')).toContain('Origin')
    expect(world.logs.at(-1)).toMatchObject({ message: 'request', status: 403, refusedOrigin: origin })
  })
  it('a refused origin gets no permission from a preflight, and none for the provider’s form or /admin', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    for (const path of ['/settings', '/auth/sign-out', '/nowhere', '/api/v1/local', '/social/apple/callback']) {
      const preflight = await kit.call(path, { method: 'OPTIONS', headers, proof: false })
      expect([path, preflight.status, getCors(preflight)]).toEqual([path, 403, {}])
    }
    const { origin } = new URL(world.api.internalUrl)
    for (const url of [`${origin}/admin/clock`, `${origin}/health`, `${world.api.internalUrl}/nowhere`])
      expect([url, getCors(await fetch(url, { headers }))]).toEqual([url, {}])
  })
  it.each(['null', 'https://evil.example/', 'https://EVIL.example', 'javascript:x', `https://${'x'.repeat(400)}`, '*'])(
    'a value of Origin that no page has is not repeated: %s',
    async origin => {
      const answer = await kit.call('/settings', { headers: { origin }, proof: false })
      expect([answer.status, getCors(answer)]).toEqual([403, {}])
      expect(world.logs.at(-1)).not.toHaveProperty('refusedOrigin')
    },
  )
})

describe('every request', () => {
  it.each([
    ['GET', '/nowhere', 404, 'not_found'],
    ['DELETE', '/settings', 405, 'method_not_allowed'],
  ])('responds to %s %s with %i %s', async (method, path, status, code) => {
    await refused(kit.call(path, { method, proof: false }), status, code)
  })
  it('refuses a body that is not JSON, too large or too deep, or contains NUL or lone surrogates', async () => {
    const post = (rawBody: string, headers = {}) => kit.call('/auth/email', { method: 'POST', rawBody, headers })
    expect(await post('email=a@example.com', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    for (const text of [
      '{',
      '{"email":"a\\u0000"}',
      '{"email":"\\ud800"}',
      '['.repeat(5000) + ']'.repeat(5000),
      '{"more":1}',
    ])
      await refused(post(text), 400, 'invalid_request')
    expect(await post(`{"email":"${'x'.repeat(70_000)}"}`)).toMatchObject({ status: 413 })
  })
  it('an error response repeats no invalid value of the request', async () => {
    const sent = { proof: { type: 'secret-value' }, storage: 'my-password' }
    const { body } = await kit.call('/auth/wallet', { body: sent })
    expect(body.code).toBe('invalid_request')
    expect(JSON.stringify(body)).not.toMatch(/secret-value|my-password/)
  })
  it('the kernel’s HTTP client understands responses and errors of the API', async () => {
    const session = { bearer: async () => undefined }
    const partial = { config: { baseApiUrl: world.api.internalUrl }, session }
    const http: (path: string, request?: HttpRequest) => Promise<unknown> = Reflect.apply(createHttp, undefined, [
      partial,
    ])
    expect(await http('/sdk/local/settings')).toMatchObject({ environmentId: 'local' })
    await expect(http('/sdk/local/users/me')).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
  })
})

describe('the service', () => {
  it('the service reports health and readiness, and serves its OpenAPI document', async () => {
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${world.api.port}${path}`)).json()
    expect(await get('/health')).toEqual({ status: 'ok' })
    expect(await get('/ready')).toEqual({ status: 'ready' })
    const document = await get('/api/v0/openapi.json')
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: 'v0' } })
    expect(document.paths['/sdk/{environmentId}/auth/email'].post.requestBody).toBeDefined()
  })
  it('only requests from this machine can move the service’s clock', async () => {
    const clock = (headers: Record<string, string>, body: unknown = { advance: 1000 }) =>
      kit.call('/admin/clock', { body, headers, proof: false })
    const before = (await kit.call('/admin/clock')).body.now
    expect((await clock({})).body.now - before).toBeGreaterThanOrEqual(1000)
    expect((await clock({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await clock({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(403)
    expect((await clock({}, { advance: 'x' })).status).toBe(400)
    expect((await kit.call('/admin/clock', { method: 'DELETE', proof: false })).status).toBe(200)
  })
})

describe('rate limits', () => {
  it('limits requests per network despite forged headers, and a flooded address keeps requests for its owner', async () => {
    const strict = await startWorld({ limitFactor: 1, trustedProxies: 1 })
    const ask = async (email: string, network: string, said = '') => {
      const headers = { 'x-forwarded-for': `${said}${network}` }
      return (await strict.kit().call('/auth/email', { body: { email }, headers })).status
    }
    for (let count = 0; count < 5; count++) expect(await ask('owner@example.com', '198.51.100.1')).toBe(202)
    expect(await ask('owner@example.com', '198.51.100.1')).toBe(429)
    expect(await ask('owner@example.com', '198.51.100.1', '203.0.113.9, ')).toBe(429)
    expect(await ask('owner@example.com', '203.0.113.9')).toBe(202)
    // Fifteen in all, from any network.
    for (let count = 0; count < 9; count++) expect(await ask('owner@example.com', `203.0.113.1${count}`)).toBe(202)
    expect(await ask('owner@example.com', '203.0.113.99')).toBe(429)
    // Refused requests count for the network, too.
    for (let count = 0; count < 93; count++) expect(await ask(`many${count}@example.com`, '198.51.100.1')).toBe(202)
    expect(await ask('one-more@example.com', '198.51.100.1', '203.0.113.8, ')).toBe(429)
    expect(await ask('one-more@example.com', '203.0.113.8')).toBe(202)
    await strict.stop()
  })
  it('a flood of signed requests without a body is refused before it writes rows', async () => {
    const writes: string[] = []
    const onQuery = (query: string) => query.startsWith('insert into "proofs"') && writes.push(query)
    // Eight requests of a network at once.
    const strict = await startWorld({ limitFactor: 0.001, onQuery })
    const ask = () => strict.kit().call('/auth/nonce', { method: 'POST' })
    const answers = await Promise.all(Array.from({ length: 30 }, ask))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20)
    expect(answers.filter(({ status }) => status === 500)).toEqual([])
    expect(writes.length).toBeGreaterThan(0)
    expect(writes.length).toBeLessThanOrEqual(10)
    await strict.stop()
  })
  it('limits requests per address until the window ends: too_many_requests', async () => {
    const strict = await startWorld({ limitFactor: 1 })
    const ask = (email: string) => strict.kit().call('/auth/email', { body: { email } })
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push((await ask('flood@example.com')).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    const refused = await ask('flood@example.com')
    expect(refused.body.code).toBe('too_many_requests')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('calm@example.com')).status).toBe(202)
    strict.api.clock.advance(15 * 60_000)
    expect((await ask('flood@example.com')).status).toBe(202)
    await strict.stop()
  })
  it('rate limits treat an IPv6 /64 as one network, and read a proxy’s header only from trusted proxies', async () => {
    const { getNetwork } = await import('@keybay/sandbox-service/http')
    expect(getNetwork('2001:db8:1:2:3::4', undefined, 0)).toBe(getNetwork('2001:db8:1:2:ffff::', undefined, 0))
    expect(getNetwork('2001:db8:1:3::4', undefined, 0)).not.toBe(getNetwork('2001:db8:1:2::4', undefined, 0))
    expect(getNetwork('::ffff:10.0.0.1', undefined, 0)).toBe('10.0.0.1')
    expect(getNetwork('10.0.0.1', '1.2.3.4', 0)).toBe('10.0.0.1')
    expect(getNetwork('10.0.0.1', '6.6.6.6, 1.2.3.4', 1)).toBe('1.2.3.4')
  })
})

it('responses, database statements and hashes do not reveal whether an address has an account', async () => {
  const queries: string[] = []
  const onHash = vi.fn()
  const counted = await startWorld({ onQuery: query => queries.push(query), onHash })
  await counted.signedIn('known@example.com')
  const measure = async (by: Kit, path: string, body: object) => {
    queries.length = 0
    onHash.mockClear()
    const answer = await by.call(path, { body })
    return { answer, queries: [...queries], hashes: onHash.mock.calls.length }
  }
  const known = await measure(counted.kit(), '/auth/email', { email: 'known@example.com' })
  const unknown = await measure(counted.kit(), '/auth/email', { email: 'unknown@example.com' })
  // The proof, all budgets and the code together.
  expect(known.queries).toHaveLength(1)
  expect([unknown.queries, unknown.hashes]).toEqual([known.queries, known.hashes])
  expect(Object.keys(unknown.answer.body)).toEqual(Object.keys(known.answer.body))
  expect(unknown.answer.status).toBe(known.answer.status)
  // Send a wrong code for a real verification, and one for a verification that never existed.
  const countedKit = counted.kit()
  const { verificationId: real } = await countedKit.sendCode('/auth', 'known@example.com')
  const verify = async (verificationId: string) => {
    const { answer, ...cost } = await measure(countedKit, '/auth/email/verify', { verificationId, code: 'x' })
    return { ...cost, body: answer.body }
  }
  const wrong = await verify(real)
  expect(await verify('00000000-0000-4000-8000-000000000000')).toEqual(wrong)
  await counted.stop()
})

// Last, because the clock moves a year.
it('an API token ends after a year or at its own end, and the operator sees its end and its last use', async () => {
  const environmentId = 'own'
  const own = { token: ownToken, environmentId, proof: false } as const
  const { body: short } = await kit.call('/api-tokens', { ...own, body: { name: 'short', days: 1 } })
  world.api.clock.advance(1)
  const { body: long } = await kit.call('/api-tokens', { ...own, body: { name: 'long' } })
  const ask = (token: string) => kit.call('/logs', { token, environmentId })
  const list = async () => (await kit.call('/api-tokens', own)).body.tokens
  const day = 86_400_000
  expect(await list()).toMatchObject([
    { name: 'short', expiresAt: short.createdAt + day, lastUsedAt: null },
    { name: 'long', expiresAt: long.createdAt + 365 * day, lastUsedAt: null },
  ])
  expect((await ask(short.token)).status).toBe(200)
  const [used] = await list()
  expect(used.lastUsedAt).toBeGreaterThanOrEqual(short.createdAt)
  world.api.clock.advance(day)
  expect((await ask(short.token)).status).toBe(401)
  expect((await ask(long.token)).status).toBe(200)
  world.api.clock.advance(364 * day)
  expect((await ask(long.token)).status).toBe(401)
})
