/** Sign-in by a login and by a host's token, and its failures, against the real API. */
import { createServer, type Server } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { localNetwork } from '../../src/index.js'
import { network, nodeFetch } from './dom.js'
import {
  answerLinkQuestions,
  byEmail,
  fresh,
  openPage,
  openSignedIn,
  question,
  settings,
  startWorld,
  until,
  type World,
} from './support.js'
import { testWallet } from './wallet.js'

let world: World
let jwks: Server
const host = await generateKeyPair('ES256')
beforeAll(async () => {
  const key = { ...(await exportJWK(host.publicKey)), kid: 'host', alg: 'ES256', use: 'sig' }
  jwks = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [key] }))
  })
  await new Promise<void>(resolve => jwks.listen(0, '127.0.0.1', resolve))
  const { port } = Object(jwks.address())
  world = await startWorld({
    environments: {
      local: {
        ...settings,
        signIn: { external: true },
        networks: [localNetwork('http://localhost:8899')],
        externalJwt: {
          issuer: 'https://acme.example',
          audience: 'keybay',
          jwksUrl: `http://127.0.0.1:${port}/jwks.json`,
        },
      },
    },
  })
})
afterAll(async () => {
  await world.stop()
  jwks.close()
})
beforeEach(fresh)

function hostToken(subject: string, key = host.privateKey): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: 'host' })
    .setIssuer('https://acme.example')
    .setAudience('keybay')
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key)
}

describe('a login', () => {
  it('a login goes from anonymous through authenticating to authenticated', async () => {
    const page = openPage(world)
    const seen: string[] = []
    const events: unknown[] = []
    page.on('session:changed', ({ session }) => seen.push(session.status))
    page.on('account:signed-in', event => events.push(event))
    const state = await byEmail(world, page, 'mara@example.com')
    expect(state).toEqual({ status: 'authenticated', userId: expect.any(String) })
    expect(page.session.current).toEqual(state)
    expect(page.account.user.current).toMatchObject({ status: 'ready', user: { email: 'mara@example.com' } })
    expect(seen).toEqual(['authenticating', 'authenticated'])
    expect(events).toEqual([{ userId: state.userId, isNewUser: true }])
  })
  it('a login keeps its prompt open after a wrong code, and changes nothing if cancelled', async () => {
    const page = openPage(world)
    const signingIn = page.account.signIn('email', 'wrong@example.com')
    const prompt = await question(page, 'one-time-code')
    await expect(prompt.submit('000000')).rejects.toMatchObject({
      code: 'wrong_email_verification_token',
      message: 'The code is invalid or expired.',
    })
    expect(page.prompts.list()).toHaveLength(1)
    prompt.cancel()
    await expect(signingIn).rejects.toMatchObject({ code: 'user_rejected' })
    expect(page.session.current).toEqual({ status: 'anonymous' })
    expect(await byEmail(world, page, 'wrong@example.com')).toMatchObject({ status: 'authenticated' })
  })
  it('joins two simultaneous calls of the same login', async () => {
    const page = openPage(world)
    const [one, two] = await Promise.all([
      byEmail(world, page, 'twice@example.com'),
      page.account.signIn('email', 'twice@example.com'),
    ])
    expect(one).toEqual(two)
    expect(network.sent.filter(({ url }) => url.endsWith('/auth/email'))).toHaveLength(1)
  })
  it('a login that is aborted at its prompt signs in no user', async () => {
    const page = openPage(world)
    const control = new AbortController()
    const signingIn = page.account.signIn('email', 'late@example.com', { signal: control.signal })
    const prompt = await question(page, 'one-time-code')
    const proved = await prompt.submit(await world.codeFor('late@example.com'))
    control.abort()
    prompt.answer(proved)
    await expect(signingIn).rejects.toMatchObject({ code: 'aborted' })
    expect(page.prompts.list()).toEqual([])
    expect(page.session.current).toEqual({ status: 'anonymous' })
  })
})

describe('a token of the host', () => {
  it('[S1.6] a token of the host signs in the same user each time', async () => {
    const page = openPage(world)
    const state = await page.account.signInWithToken(await hostToken('customer-1'))
    expect(state.status).toBe('authenticated')
    expect(page.account.user.current.user?.credentials).toMatchObject([
      { method: 'externalUser', externalUserId: 'customer-1' },
    ])
    await page.account.signOut()
    expect(await page.account.signInWithToken(await hostToken('customer-1'))).toEqual(state)
  })
  it('[S1.6] a token of the host links a credential for a signed-in user', async () => {
    const page = openPage(world)
    const state = await byEmail(world, page, 'customer-2@example.com')
    answerLinkQuestions(page)
    expect(await page.account.signInWithToken(await hostToken('customer-2'))).toEqual(state)
    expect(page.account.user.current.user?.credentials).toHaveLength(2)
    await expect(page.account.signInWithToken(await hostToken('customer-2'))).rejects.toMatchObject({
      code: 'account_already_linked',
    })
  })
  it('ends the server’s session if sign-in with a host token is aborted after its response', async () => {
    const page = openPage(world)
    const control = new AbortController()
    let accessToken = ''
    network.answer = async ({ url, method, headers, body = '' }) => {
      if (!url.endsWith('/auth/external')) return undefined
      const response = await nodeFetch(url, { method, headers, body })
      const text = await response.text()
      accessToken = JSON.parse(text).accessToken
      control.abort()
      return new Response(text)
    }
    const token = await hostToken('customer-4')
    await expect(page.account.signInWithToken(token, { signal: control.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect(page.session.current).toEqual({ status: 'anonymous' })
    while ((await world.call('/users/me', { token: accessToken })).status === 200);
    expect(await world.call('/users/me', { token: accessToken })).toMatchObject({ body: { code: 'session_expired' } })
  })
  it('[S1.6] refuses a host token that is signed by another key or malformed', async () => {
    const page = openPage(world)
    const other = await generateKeyPair('ES256')
    for (const token of [await hostToken('customer-3', other.privateKey), 'nonsense', ''])
      await expect(page.account.signInWithToken(token)).rejects.toMatchObject({
        code: token ? 'invalid_external_token' : 'invalid_request',
      })
    expect(page.session.current).toEqual({ status: 'anonymous' })
  })
})

describe('responses of the server', () => {
  it('[S8.1] errors of the server keep their codes and messages, including unknown codes', async () => {
    const page = await openSignedIn(world, 'codes-1@example.com')
    await page.account.updateUser({ username: 'codes' })
    await page.account.signOut()
    await byEmail(world, page, 'codes-2@example.com')
    await expect(page.account.updateUser({ username: 'CODES' })).rejects.toMatchObject({
      code: 'username_already_exists',
      message: 'This user name is already in use.',
      status: 409,
    })
    await expect(page.account.updateUser({ metadata: { long: 'x'.repeat(3000) } })).rejects.toMatchObject({
      code: 'metadata_size_exceeded',
    })
    answerLinkQuestions(page)
    await expect(page.account.signIn('email', 'no address')).rejects.toMatchObject({ code: 'invalid_email' })
    network.answer = () => Response.json({ code: 'moon_phase', message: 'Not tonight.' }, { status: 418 })
    await expect(page.account.updateUser({ username: 'x' })).rejects.toMatchObject({
      name: 'KeybayError',
      code: 'moon_phase',
      message: 'Not tonight.',
      status: 418,
    })
  })
  it('requests the settings once, and again after a failure', async () => {
    const page = openPage(world)
    network.down = true
    await expect(page.account.settings()).rejects.toMatchObject({ code: 'request_failed' })
    network.down = false
    network.sent = []
    const all = await Promise.all([page.account.settings(), page.account.settings()])
    expect(all[0]).toBe(await page.account.settings())
    expect(all[0]).toMatchObject({ environmentId: 'local', name: 'Acme', signIn: { wallet: true, external: true } })
    expect(network.sent).toHaveLength(1)
  })
  it.each([
    ['networks', [{ cluster: 'localnet' }]],
    ['transactions', {}],
    ['session', { days: '30' }],
    ['custody', true],
  ])('refuses settings with an invalid %s, and accepts settings without it', async (name, value) => {
    const { body } = await world.call('/settings')
    const page = openPage(world)
    network.answer = () => Response.json({ ...Object(body), [name]: value })
    await expect(page.account.settings()).rejects.toMatchObject({ code: 'request_failed' })
    network.answer = () => Response.json({ ...Object(body), [name]: undefined })
    expect(await page.account.settings()).toMatchObject({ name: 'Acme' })
  })
})

describe('the user’s store', () => {
  it('the user store loads with its first subscriber, and follows another tab', async () => {
    const [one, two] = [openPage(world), openPage(world)]
    await byEmail(world, one, 'store@example.com')
    expect(two.account.user.current).toEqual({ status: 'none' })
    const seen: unknown[] = []
    const name = () => two.account.user.current.user?.username
    two.account.user.subscribe(() => seen.push(two.account.user.current.status))
    await until(two, () => two.session.current.status === 'authenticated')
    await arrived(two, () => two.account.user.current.status === 'ready')
    expect(two.account.user.current.user?.email).toBe('store@example.com')
    await one.account.updateUser({ username: 'stored' })
    await arrived(two, () => name() === 'stored')
    answerLinkQuestions(one)
    await byEmail(world, one, 'store-2@example.com')
    await arrived(two, () => two.account.user.current.user?.credentials.length === 2)
    await one.account.signOut()
    await arrived(two, () => two.account.user.current.status === 'none')
    expect(two.account.user.current).toEqual({ status: 'none' })
    expect(seen).toContain('loading')
  })
  it('the user store never shows a previous user to the next user', async () => {
    const page = await openSignedIn(world, 'before@example.com')
    const held = hold('/users/me')
    const late = page.account.user.refresh()
    await held.asked
    await page.account.signOut()
    await byEmail(world, page, 'after@example.com')
    held.release()
    await late.catch(() => {})
    expect(page.account.user.current.user?.email).toBe('after@example.com')
  })
})

function arrived(page: ReturnType<typeof openPage>, holds: () => boolean) {
  return new Promise<void>(resolve => {
    const off = page.account.user.subscribe(look)
    function look() {
      if (!holds()) return
      off()
      resolve()
    }
    look()
  })
}
/** Delays the first request to a path. */
function hold(path: string) {
  let release = () => {}
  let ask = () => {}
  const asked = new Promise<void>(resolve => {
    ask = resolve
  })
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  let first = true
  network.answer = ({ url }) => {
    if (!first || !url.endsWith(path)) return undefined
    first = false
    ask()
    return gate.then(() => Response.json({ code: 'session_expired', message: 'Late.' }, { status: 401 }))
  }
  return { asked, release }
}

describe('malformed responses', () => {
  const answers: readonly (readonly [string, () => Response])[] = [
    ['a page of a captive portal', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['nothing', () => new Response(null, { status: 200 })],
    ['null', () => Response.json(null)],
    ['a list', () => Response.json([{ status: 'authenticated' }])],
    ['half of a user', () => Response.json({ ...SIGNED_IN, user: { id: 'x' } })],
    ['half of the tokens', () => Response.json({ ...SIGNED_IN, refreshToken: undefined })],
    ['a huge one', () => Response.json({ ...SIGNED_IN, sessionId: 'x'.repeat(5_000_000) })],
    [
      'too many credentials',
      () =>
        Response.json({
          ...SIGNED_IN,
          user: { ...USER, credentials: Array.from({ length: 100_000 }, () => CREDENTIAL) },
        }),
    ],
    [
      'a method of another planet',
      () => Response.json({ ...SIGNED_IN, user: { ...USER, credentials: [{ ...CREDENTIAL, method: 'telepathy' }] } }),
    ],
    ['devices that are none', () => Response.json({ status: 'mfa-required', pendingId: 'p', devices: 'all' })],
  ]
  const CREDENTIAL = { id: 'c', method: 'email', createdAt: 1, lastUsedAt: 1 }
  const USER = {
    id: 'u',
    username: null,
    email: null,
    phoneNumber: null,
    metadata: {},
    createdAt: 1,
    lastSignInAt: 1,
    step: 'done',
    credentials: [CREDENTIAL],
    mfa: { devices: [], recoveryCodes: 0 },
  }
  const SIGNED_IN = {
    status: 'authenticated',
    isNewUser: false,
    user: USER,
    sessionId: 's',
    accessToken: 'a',
    refreshToken: 'r',
    expiresAt: 9e15,
  }
  it.each(answers)('a malformed sign-in response does not sign in: %s', async (_, answer) => {
    const page = openPage(world)
    network.answer = answer
    await expect(page.account.signInWithToken('t')).rejects.toMatchObject({
      code: 'request_failed',
      message: expect.stringContaining('Cannot proceed with your request'),
    })
    await expect(page.account.settings()).rejects.toMatchObject({ code: 'request_failed' })
    expect(page.session.current).toEqual({ status: 'anonymous' })
    expect(localStorage.getItem('keybay:local:session')).toBeNull()
  })
  it.each([
    ['no session', { sessionId: undefined, expiresAt: undefined }],
    ['a session without tokens', {}],
    ['a session in cookies that the page does not use', { sessionId: 's', expiresAt: 9e15 }],
  ])('[S8.3] Failed to create or restore session: a sign-in at a server that gives %s', async (_, session) => {
    const answer = { ...SIGNED_IN, accessToken: undefined, refreshToken: undefined, ...session }
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer))
    })
    onTestFinished(() => void server.close())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const page = openPage(world, { baseApiUrl: `http://127.0.0.1:${Object(server.address()).port}/api/v0` })
    await expect(page.account.signInWithToken('t')).rejects.toMatchObject({
      code: 'session_missing',
      message: 'Failed to create or restore session',
    })
    expect(page.session.current).toEqual({ status: 'anonymous' })
    expect(localStorage.getItem('keybay:local:session')).toBeNull()
  })
  it('a well-formed sign-in response signs in', async () => {
    const page = openPage(world)
    network.answer = () => Response.json(SIGNED_IN)
    expect(await page.account.signInWithToken('t')).toEqual({ status: 'authenticated', userId: 'u' })
  })
  it('does not sign a nonce with a line break', async () => {
    const wallet = testWallet()
    const page = openPage(world, { wallets: [wallet.connector] })
    network.answer = ({ url }) =>
      url.endsWith('/auth/nonce')
        ? Response.json({ nonceId: 'n', nonce: 'abcdefgh\nResources:\n- https://evil.example', expiresAt: 1 })
        : undefined
    await expect(page.account.signIn('test-wallet')).rejects.toMatchObject({ code: 'request_failed' })
    expect(wallet.asked).toEqual([])
  })
  it('corrects the clock only once per request', async () => {
    const page = openPage(world)
    network.answer = () =>
      Response.json({ code: 'invalid_proof', message: 'no', details: { reason: 'time', now: 1 } }, { status: 401 })
    await expect(page.account.signInWithToken('t')).rejects.toMatchObject({ code: 'invalid_proof' })
    expect(network.sent.filter(({ url }) => url.includes('/auth/'))).toHaveLength(2)
  })
})

describe('the log', () => {
  it('[S7.6] sends only log entries of level error to the product API', async () => {
    for (const method of ['error', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => {})
    let log = (_message: string, _level: 'error' | 'warn') => {}
    const page = openPage(world, {
      logLevel: 'debug',
      see({ logger }) {
        log = (message, level) => logger[level](message, new Error('why'))
      },
    })
    page.connectors.list()
    log('first boom', 'error')
    log('only a warning', 'warn')
    log('second boom', 'error')
    const token = await world.apiToken()
    const entries = async (): Promise<readonly Record<string, unknown>[]> => {
      const { body } = await world.call('/logs', { token })
      return Object(body)
        .logs.map(({ entry }: { entry: Record<string, unknown> }) => entry)
        .filter(({ message }: Record<string, unknown>) => /boom|warning/.test(String(message))) // Excludes other tests' entries.
    }
    let logEntries: readonly Record<string, unknown>[] = []
    while (logEntries.length < 2) logEntries = await entries()
    expect(logEntries.map(({ message }) => message).sort()).toEqual(['first boom', 'second boom'])
    expect(logEntries[0]).toMatchObject({
      level: 'error',
      stack: expect.stringContaining('why'),
      url: { origin: 'http://app.localhost:4000', pathname: '/wallet' },
    })
    expect(JSON.stringify(logEntries)).not.toContain('private')
    const posts = network.sent.filter(({ url, body }) => url.endsWith('/api/v1/local') && body?.includes('boom'))
    expect(posts).toHaveLength(1)
    expect(JSON.parse(posts[0]?.body ?? '')).toHaveLength(2)
  })
})
