/** Tests the session's key, proofs, renewal and end against the real API. */
import { createHash } from 'node:crypto'
import { inStore } from '@keybay/kernel/spec'
import { calculateJwkThumbprint, decodeJwt, EmbeddedJWK, importJWK, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cookies, network, nodeFetch, PAGE } from './dom.js'
import {
  answerLinkQuestions,
  byEmail,
  fresh,
  movableClock,
  openPage,
  openSignedIn,
  settings,
  startWorld,
  until,
} from './support.js'
import { testWallet } from './wallet.js'

const world = await startWorld({
  environments: { local: settings, strict: { ...settings, required: { email: true } } },
})
afterAll(world.stop)
beforeEach(fresh)
afterEach(() => {
  vi.unstubAllGlobals()
})

function sent(path: string) {
  return network.sent.filter(({ url }) => new URL(url).pathname.endsWith(path))
}
/** Sets the page's clock to the service's, and moves both. */
function together() {
  const clock = movableClock()
  clock.move(world.api.clock.now() - Date.now())
  return {
    clock,
    pass(ms: number) {
      clock.move(ms)
      world.api.clock.advance(ms)
    },
  }
}
const KEY = 'keybay:local:session'

describe('signed requests', () => {
  it('[S9.9] every call has the API version, and each change has one proof by the session key', async () => {
    const page = await openSignedIn(world, 'proofs@example.com')
    await page.account.updateUser({ username: 'proofs' })
    const token = (await page.session.bearer()) ?? ''
    const seen = new Set<unknown>()
    // The log sink has no session.
    for (const { method, url, headers, body } of network.sent.filter(({ url }) => url.includes('/api/v0/'))) {
      expect(headers.get('x-keybay-api-version')).toBe('v0')
      if (method === 'GET') continue
      const dpop = headers.get('dpop') ?? ''
      const { payload, protectedHeader } = await jwtVerify(dpop, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: ['ES256'],
      })
      expect(payload).toMatchObject({ htm: method, htu: url, iat: expect.any(Number) })
      expect(payload.bh).toBe(body && createHash('sha256').update(body).digest('base64url'))
      const sent = headers.get('authorization')?.replace('Bearer ', '')
      expect(payload.ath).toBe(sent && createHash('sha256').update(sent).digest('base64url'))
      expect(Object.keys(protectedHeader.jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y'])
      expect(await calculateJwkThumbprint(protectedHeader.jwk ?? { kty: '' })).toBe(Object(decodeJwt(token).cnf).jkt)
      expect(seen.has(payload.jti)).toBe(false)
      seen.add(payload.jti)
    }
    expect(seen.size).toBe(3)
  })
  it('signs one operation that another service verifies by the access token', async () => {
    const page = openPage(world)
    await expect(page.account.signSession({ operation: 'signMessage', hash: 'h' })).rejects.toMatchObject({
      code: 'session_missing',
    })
    await byEmail(world, page, 'operation@example.com')
    const jws = await page.account.signSession({ operation: 'signMessage', wallet: 'w', hash: 'h' })
    const { cnf, sid } = decodeJwt((await page.session.bearer()) ?? '')
    const { payload } = await jwtVerify(jws, await importJWK(Object(cnf).jwk, 'ES256'), {
      typ: 'keybay-session+jwt',
      algorithms: ['ES256'],
      maxTokenAge: 60,
    })
    expect(payload).toEqual({
      sid,
      op: 'signMessage',
      wallet: 'w',
      hash: 'h',
      origin: PAGE,
      iat: expect.any(Number),
      jti: expect.any(String),
    })
  })
  it('the session key cannot be exported, and no log, event or error contains a token', async () => {
    const seen: string[] = []
    const page = openPage(world, { logLevel: 'debug' })
    page.onAny((event, payload) => seen.push(JSON.stringify([event, payload])))
    await byEmail(world, page, 'secret@example.com')
    network.answer = () => new Response('{"code":"x","message":"no"}', { status: 500 })
    await page.account.updateUser({ username: 'secret' }).catch(error => seen.push(JSON.stringify(error)))
    const token = (await page.session.bearer()) ?? 'none'
    const { refresh } = JSON.parse(localStorage.getItem(KEY) ?? '').token
    for (const text of seen) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(refresh)
    }
    const row = await new Promise<unknown>(resolve => {
      const request = indexedDB.open('keybay:local')
      request.onsuccess = () => {
        const get = request.result.transaction('keys').objectStore('keys').get('session')
        get.onsuccess = () => resolve(get.result)
      }
    })
    const { privateKey } = Object(row)
    expect(privateKey.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('pkcs8', privateKey)).rejects.toThrow()
  })
})

describe('a wrong clock', () => {
  it.each([-3_600_000, 3_600_000])('corrects a clock that is wrong by %d ms once, by the service’s time', async off => {
    const clock = movableClock()
    clock.move(off + (world.api.clock.now() - Date.now()))
    const page = openPage(world, { clock })
    const state = await byEmail(world, page, 'clock@example.com')
    expect(state.status).toBe('authenticated')
    // Exactly one retry.
    expect(sent('/auth/email')).toHaveLength(2)
    expect(sent('/auth/email/verify')).toHaveLength(1)
    // The token's lifetime starts here: it is valid now, and renewed when its time is over.
    const token = await page.session.bearer()
    expect(token).toBeDefined()
    await page.account.updateUser({ metadata: { clock: true } })
    expect(sent('/auth/refresh')).toHaveLength(0)
    clock.move(600_000)
    world.api.clock.advance(600_000)
    expect(await page.session.bearer()).not.toBe(token)
    expect(sent('/auth/refresh')).toHaveLength(1)
  })
})

/** Moves the clock by 20 ms for each poll of the plugin, and not between polls, so no renewal times out. */
async function answerPolls(clock: ReturnType<typeof movableClock>, holds: () => boolean): Promise<void> {
  const after = vi.mocked(clock.after)
  for (let answered = 0; !holds(); ) {
    await new Promise(resolve => setImmediate(resolve))
    const polls = after.mock.calls.filter(([ms]) => ms === 20).length
    if (polls > answered) clock.move(20)
    answered = polls
  }
}

it.each([
  ['waits for what another tab renewed, which is read late between processes', true, 1],
  ['renews itself when that never comes', false, 2],
] as const)('when two tabs renew, the second tab %s', async (_what, comes, renewals) => {
  const clock = movableClock()
  clock.move(world.api.clock.now() - Date.now())
  const [one, two] = [openPage(world, { clock }), openPage(world, { clock })]
  await byEmail(world, one, `late-${comes}@example.com`)
  const before = localStorage.getItem(KEY) ?? ''
  clock.move(600_000)
  world.api.clock.advance(600_000)
  const renewed = await one.session.bearer()
  const after = localStorage.getItem(KEY) ?? ''
  expect(after).not.toBe(before)
  // The second tab still reads what was there before.
  localStorage.setItem(KEY, before)
  const looks = vi.spyOn(clock, 'after')
  const bearer = two.session.bearer()
  await expect.poll(() => looks.mock.calls.some(([ms]) => ms === 20)).toBe(true)
  expect(sent('/auth/refresh')).toHaveLength(1)
  let answer: string | undefined
  if (comes) localStorage.setItem(KEY, after)
  void bearer.then(value => {
    answer = value
  })
  await answerPolls(clock, () => answer !== undefined || sent('/auth/refresh').length > 1)
  expect((await bearer) === renewed).toBe(comes)
  // Within ten seconds the API gives the same successor.
  const successor = (row: string | null) => JSON.parse(row ?? '').token.refresh
  expect(successor(localStorage.getItem(KEY))).toBe(successor(after))
  expect(sent('/auth/refresh')).toHaveLength(renewals)
})

it('the session survives a clock that is corrected after sign-in', async () => {
  const clock = movableClock()
  const year = 365 * 86_400_000
  clock.move(year + world.api.clock.now() - Date.now())
  const page = openPage(world, { clock })
  const state = await byEmail(world, page, 'set-right@example.com')
  clock.move(-year)
  // The token is valid for a year by this clock; by the service's it has expired.
  clock.move(700_000)
  world.api.clock.advance(700_000)
  const all = await Promise.all([page.account.sessions(), page.account.updateUser({ metadata: { a: 1 } })])
  expect(all[0]).toMatchObject([{ current: true }])
  expect(page.session.current).toBe(state)
  expect(sent('/auth/refresh').length).toBeGreaterThan(0)
})

describe('renewal', () => {
  it('retries a renewal without a response once, then fails without waiting, and the next call succeeds', async () => {
    const { clock, pass } = together()
    const page = openPage(world, { clock })
    const state = await byEmail(world, page, 'silent@example.com')
    pass(600_000)
    network.answer = ({ url, signal }) =>
      url.endsWith('/auth/refresh')
        ? new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        : undefined
    const call = page.account.sessions()
    call.catch(() => {})
    await expect.poll(() => sent('/auth/refresh')).toHaveLength(1)
    pass(8000)
    await expect.poll(() => sent('/auth/refresh')).toHaveLength(2)
    pass(8000)
    await expect(call).rejects.toMatchObject({ code: 'request_failed' })
    expect(page.session.current).toBe(state)
    network.answer = undefined
    expect(await page.account.sessions()).toMatchObject([{ current: true }])
  })
  it('[S8.3] Failed to create or restore session: the server renews a session without tokens, and then with tokens', async () => {
    const { clock, pass } = together()
    const page = openPage(world, { clock })
    const state = await byEmail(world, page, 'renewed-without@example.com')
    pass(600_000)
    network.answer = ({ url }) => (url.endsWith('/auth/refresh') ? Response.json({}) : undefined)
    await expect(page.account.sessions()).rejects.toMatchObject({
      code: 'session_missing',
      message: 'Failed to create or restore session',
    })
    expect(page.session.current).toBe(state)
    network.answer = undefined
    expect(await page.account.sessions()).toMatchObject([{ current: true }])
  })
  it('an immediate retry gets the same tokens if the response to a renewal is lost', async () => {
    const { clock, pass } = together()
    const page = openPage(world, { clock })
    const state = await byEmail(world, page, 'lost@example.com')
    pass(600_000)
    network.answer = async ({ url, method, headers, body, signal }) => {
      if (!url.endsWith('/auth/refresh') || sent('/auth/refresh').length > 1) return undefined
      await nodeFetch(url, { method, headers, body: body ?? null })
      lost()
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    let lost = () => {}
    const isLost = new Promise<void>(resolve => {
      lost = resolve
    })
    const call = page.account.sessions()
    await isLost
    pass(8000)
    expect(await call).toMatchObject([{ current: true }])
    expect(page.session.current).toBe(state)
  })
  it('renews the tokens once for ten calls', async () => {
    const { clock, pass } = together()
    const page = openPage(world, { clock })
    const state = await byEmail(world, page, 'renew@example.com')
    const old = await page.session.bearer()
    pass(600_000)
    const all = await Promise.all(Array.from({ length: 10 }, () => page.account.sessions()))
    expect(all.every(sessions => sessions.some(({ current }) => current))).toBe(true)
    expect(sent('/auth/refresh')).toHaveLength(1)
    expect(await page.session.bearer()).not.toBe(old)
    expect(page.session.current).toBe(state)
  })
  it('renews the tokens after a reload', async () => {
    const { clock, pass } = together()
    const before = openPage(world, { clock })
    const state = await byEmail(world, before, 'reload@example.com')
    before.dispose()
    pass(700_000)
    const after = openPage(world, { clock })
    expect((await after.account.user.refresh())?.email).toBe('reload@example.com')
    expect(after.session.current).toEqual(state)
    const again = await after.account.signSession({ operation: 'x', hash: 'h' })
    expect(decodeJwt(again).sid).toBe(decodeJwt((await after.session.bearer()) ?? '').sid)
  })
  it('[S13.7] keeps and renews a session that an older version of the kit stored', async () => {
    const { clock, pass } = together()
    const before = openPage(world, { clock })
    const state = await byEmail(world, before, 'older@example.com')
    before.dispose()
    const saved = JSON.parse(localStorage.getItem(KEY) ?? '')
    const { value, expiresAt, refresh } = saved.token
    const { status, userId } = saved.state
    localStorage.setItem(KEY, JSON.stringify({ state: { status, userId }, token: { value, expiresAt, refresh } }))
    // Its row had only the key and the session's id.
    await inStore('keybay:local', 'keys', store => {
      const request = store.get('session')
      request.onsuccess = () => {
        const { privateKey, jwk, sessionId } = request.result
        store.put({ privateKey, jwk, sessionId }, 'session')
      }
      return request
    })
    pass(700_000)
    const after = openPage(world, { clock })
    expect((await after.account.user.refresh())?.email).toBe('older@example.com')
    expect(after.session.current).toEqual(state)
  })
  it('a renewal ends the session and deletes its key if the refresh token was used before', async () => {
    const { clock, pass } = together()
    const page = await openSignedIn(world, 'reuse@example.com', { clock })
    const stolen = localStorage.getItem(KEY) ?? ''
    pass(600_000)
    await page.session.bearer()
    pass(600_000)
    localStorage.setItem(KEY, stolen)
    const tries = sent('/auth/refresh').length
    vi.spyOn(clock, 'after')
    const bearer = page.session.bearer()
    await answerPolls(clock, () => sent('/auth/refresh').length > tries)
    expect(await bearer).toBeUndefined()
    expect(page.session.current.status).toBe('expired')
    await expect(page.account.sessions()).rejects.toMatchObject({ code: 'session_missing' })
    expect(await byEmail(world, page, 'reuse@example.com')).toMatchObject({ status: 'authenticated' })
  })
  it('a renewal fails clearly while offline, keeps the session, and the next call succeeds', async () => {
    const { clock, pass } = together()
    const page = openPage(world, { clock })
    const state = await byEmail(world, page, 'offline@example.com')
    pass(600_000)
    network.down = true
    await expect(page.account.sessions()).rejects.toMatchObject({ code: 'request_failed' })
    await expect(page.account.user.refresh()).rejects.toMatchObject({ code: 'request_failed' })
    expect(page.account.user.current).toMatchObject({ status: 'error', user: { email: 'offline@example.com' } })
    expect(page.session.current).toBe(state)
    network.down = false
    expect(await page.account.user.refresh()).toMatchObject({ email: 'offline@example.com' })
    expect(page.account.user.current.status).toBe('ready')
  })
  it('keeps two instances in one page signed in that renew at the same time', async () => {
    const { clock, pass } = together()
    const [one, two] = [openPage(world, { clock }), openPage(world, { clock })]
    const state = await byEmail(world, one, 'both@example.com')
    two.connectors.list()
    await until(two, () => two.session.current.status === 'authenticated')
    pass(600_000)
    await Promise.all([one.account.sessions(), two.account.sessions()])
    expect([one.session.current, two.session.current]).toEqual([state, state])
  })
})

describe('the end of a session', () => {
  it('[S11.4] signing out ends the session at the server and in every tab, and deletes the key', async () => {
    const [one, two] = [openPage(world), openPage(world)]
    const seen: string[] = []
    two.account.user.subscribe(() => seen.push(two.account.user.current.status))
    await byEmail(world, one, 'out@example.com')
    await until(two, () => two.session.current.status === 'authenticated')
    const token = (await one.session.bearer()) ?? ''
    const lists = ['keybay:local:user:sent:104:a', 'keybay:local:recent:sign-in', 'keybay:other:user:sent:104:a']
    for (const list of lists) localStorage.setItem(list, '["a"]')
    await one.account.signOut()
    expect(lists.filter(list => localStorage.getItem(list))).toEqual(lists.slice(1))
    await until(two, () => two.session.current.status === 'anonymous')
    expect(await world.call('/users/me', { token })).toMatchObject({ status: 401, body: { code: 'session_expired' } })
    expect(one.account.user.current).toEqual({ status: 'none' })
    await expect(two.account.sessions()).rejects.toMatchObject({ code: 'session_missing' })
    expect(await two.account.entrance()).toMatchObject({ mode: 'sign-in' })
  })
  it('signing out takes effect at once without the API', async () => {
    const clock = movableClock()
    clock.move(world.api.clock.now() - Date.now())
    const page = await openSignedIn(world, 'cut@example.com', { clock })
    network.down = true
    await page.account.signOut()
    expect(page.session.current).toEqual({ status: 'anonymous' })
    network.down = false
    await byEmail(world, page, 'cut@example.com')
    network.answer = () => new Promise(() => {})
    const out = page.account.signOut()
    await until(page, () => page.session.current.status === 'anonymous')
    expect(await page.session.bearer()).toBeUndefined()
    network.answer = undefined
    expect(await page.account.entrance()).toMatchObject({ mode: 'sign-in' })
    void out
  })
  it('the next call shows that another device ended the session', async () => {
    const page = await openSignedIn(world, 'ended@example.com')
    const old = localStorage.getItem(KEY) ?? ''
    await page.account.user.refresh()
    const [{ id } = { id: '' }] = await page.account.sessions()
    const other = openPage(world, { environmentId: 'local' })
    await other.account.request(`/sessions/${id}`, { method: 'DELETE' })
    localStorage.setItem(KEY, old)
    await expect(page.account.sessions()).rejects.toMatchObject({ code: 'session_expired', status: 401 })
    expect(page.session.current.status).toBe('expired')
    await expect(page.account.sessions()).rejects.toMatchObject({ code: 'session_missing' })
  })
  it('[S11.3] a deleted user signs in within 30 days, sees the deletion date and can keep the account', async () => {
    const page = openPage(world)
    const { userId } = await byEmail(world, page, 'kept@example.com')
    await page.account.deleteUser()
    expect(page.session.current).toEqual({ status: 'anonymous' })
    expect((await byEmail(world, page, 'kept@example.com')).userId).toBe(userId)
    expect((await page.account.user.refresh())?.deletesAt).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect(await page.account.restoreUser()).toMatchObject({ id: userId, deletesAt: null })
    expect(page.account.user.current.user?.deletesAt).toBeNull()
  })
  it('ends the session if its key was deleted', async () => {
    const page = await openSignedIn(world, 'keyless@example.com')
    vi.stubGlobal('indexedDB', new (await import('fake-indexeddb')).IDBFactory())
    await expect(page.account.updateUser({ username: 'x' })).rejects.toMatchObject({ code: 'session_missing' })
    expect(page.session.current.status).toBe('expired')
  })
})

describe('without storage', () => {
  it('a session without storage lives as long as the page, and is renewed', async () => {
    const { clock, pass } = together()
    vi.stubGlobal('indexedDB', {
      open() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    const blocked = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    try {
      const page = openPage(world, { clock })
      const state = await byEmail(world, page, 'blocked@example.com')
      pass(600_000)
      expect(await page.account.updateUser({ metadata: { a: 1 } })).toMatchObject({ metadata: { a: 1 } })
      expect(page.session.current).toBe(state)
      await page.account.signOut()
      expect(await page.session.bearer()).toBeUndefined()
    } finally {
      Object.defineProperty(globalThis, 'localStorage', blocked ?? {})
    }
  })
})

describe('cookie storage', () => {
  it('with cookie storage the page never sees a token, the session renews, and signing out deletes the cookies', async () => {
    const { clock, pass } = together()
    const page = openPage(world, { clock, cookieStorage: true })
    const state = await byEmail(world, page, 'cookie@example.com')
    expect(state.status).toBe('authenticated')
    expect(cookies.size).toBe(2)
    expect(await page.session.bearer()).toBeUndefined()
    expect(localStorage.getItem(KEY)).not.toMatch(/eyJ|refresh/)
    expect(await page.account.updateUser({ metadata: { b: 1 } })).toMatchObject({ metadata: { b: 1 } })
    const before = [...cookies.values()].map(({ value }) => value)
    pass(600_000)
    expect(await page.account.sessions()).toMatchObject([{ current: true }])
    expect([...cookies.values()].map(({ value }) => value)).not.toEqual(before)
    const jws = await page.account.signSession({ operation: 'x', hash: 'h' })
    expect(decodeJwt(jws).sid).toEqual((await page.account.sessions())[0]?.id)
    await page.account.signOut()
    expect(cookies.size).toBe(0)
    expect(page.session.current).toEqual({ status: 'anonymous' })
  })
})

describe('verification', () => {
  it('a user without a required address stays in verification until the address is linked', async () => {
    const wallet = testWallet()
    const options = { environmentId: 'strict', wallets: [wallet.connector] }
    const page = openPage(world, options)
    const state = await page.account.signIn('test-wallet')
    expect(state.status).toBe('verification')
    await expect(page.account.updateUser({ username: 'early' })).rejects.toMatchObject({
      code: 'verification_required',
    })
    page.dispose()
    const after = openPage(world, options)
    expect(await after.account.user.refresh()).toMatchObject({ step: 'verify-email' })
    answerLinkQuestions(after)
    expect(await byEmail(world, after, 'strict@example.com')).toEqual({ ...state, status: 'authenticated' })
    expect(await after.account.updateUser({ username: 'late' })).toMatchObject({ username: 'late', step: 'done' })
  })
})
