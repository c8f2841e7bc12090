/** Tests tokens, renewal, and the ends of sessions. */
import { createPublicKey, randomUUID } from 'node:crypto'
import { createVerifier } from 'fast-jwt'
import { afterAll, describe, expect, it } from 'vitest'
import {
  APP,
  createKit,
  getCookies,
  getStatuses,
  type Kit,
  newKey,
  refused,
  sha256,
  signInByCookie,
  startWorld,
} from './client.js'

const world = await startWorld()
afterAll(world.stop)

function refresh(kit: Kit, refreshToken = kit.refresh) {
  return kit.call('/auth/refresh', { body: { refreshToken }, token: '' })
}

function me(kit: Kit) {
  return kit.call('/users/me')
}

describe('an access token', () => {
  it('another library verifies an access token with the published keys and reads user, session and session key', async () => {
    const kit = await world.signedIn('token@example.com')
    const { body: jwks } = await kit.call('/.well-known/jwks.json')
    const [jwk] = jwks.keys
    expect(jwk).not.toHaveProperty('d')
    const key = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
    const verify = createVerifier({
      key,
      algorithms: ['ES256'],
      allowedIss: `http://api.app.localhost:${world.api.port}/api/v0/sdk/local`,
      allowedAud: 'local',
      clockTimestamp: world.api.clock.now(),
    })
    const claims = verify(kit.token ?? '')
    const { body: user } = await me(kit)
    expect(claims).toMatchObject({ sub: user.id, amr: ['email'], cnf: { jwk: kit.publicKey, jkt: expect.any(String) } })
    expect(claims.exp - claims.iat).toBe(600)
    const { body } = await kit.call('/sessions')
    expect(body.sessions).toMatchObject([{ id: claims.sid, current: true, method: 'email' }])
  })
  it('an access token expires after ten minutes and is renewed', async () => {
    const kit = await world.signedIn('ends@example.com')
    world.api.clock.advance(601_000)
    await refused(me(kit), 401, 'session_expired')
    expect(kit.keep(await refresh(kit)).status).toBe(200)
    expect((await me(kit)).status).toBe(200)
  })
  it.each([
    ['none', ''],
    ['nonsense', 'x.y.z'],
    ['one of another issuer', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
  ])('refuses an access token that is %s', async (_, token) => {
    await refused(world.kit().call('/users/me', { token }), 401, 'unauthorized')
  })
})

describe('a stolen token', () => {
  it('a stolen access token changes nothing without the session key, and cannot be renewed', async () => {
    const kit = await world.signedIn('stolen@example.com')
    const thief = world.kit()
    thief.token = kit.token
    for (const proof of [false, {}] as const) {
      const answer = await thief.call('/users/me', { method: 'PATCH', body: { username: 'thief' }, proof })
      await refused(answer, 401, 'invalid_proof')
    }
    await refused(refresh(thief, kit.refresh), 401, 'session_expired')
    // The attempt does not affect the owner.
    expect((await refresh(kit)).status).toBe(200)
  })
})

describe('a proof', () => {
  it.each([
    ['time', { iat: 1 }],
    ['request', { htm: 'GET' }],
    ['request', { htu: 'https://evil.example/api/v0/sdk/local/users/me' }],
    ['request', { htu: 'http://127.0.0.1:1/api/v0/sdk/local/users/me' }],
    ['claims', { jti: 'short' }],
    ['body', { bh: 'x' }],
    ['body', { bh: undefined }],
  ])('refuses a proof with a wrong %s: %o', async (reason, proof) => {
    const kit = await world.signedIn('proof@example.com')
    const answer = await kit.call('/users/me', { method: 'PATCH', body: { metadata: {} }, proof })
    await refused(answer, 401, 'invalid_proof', { reason })
    expect(answer.body.details.now).toBeCloseTo(world.api.clock.now(), -4)
  })
  it('refuses a proof for another path of this service', async () => {
    const kit = await world.signedIn('path@example.com')
    for (const path of ['sessions', 'users/me/', 'users/me/merge', 'users%2Fme', 'other/users/me']) {
      const proof = { htu: `http://127.0.0.1:${world.api.port}/api/v0/sdk/local/${path}` }
      const answer = await kit.call('/users/me', { method: 'PATCH', body: { metadata: {} }, proof })
      expect(answer, path).toMatchObject({ status: 401, body: { details: { reason: 'request' } } })
    }
  })
  it('accepts a proof for a minute before and after its time, and none that was signed further ahead', async () => {
    const kit = await world.signedIn('ahead@example.com')
    const seconds = Math.floor(world.api.clock.now() / 1000)
    const change = (iat: number, jti = randomUUID()) =>
      kit.call('/users/me', { method: 'PATCH', body: { metadata: {} }, proof: { iat, jti } })
    for (const iat of [seconds + 3600, seconds + 120, seconds + 70, seconds - 70, seconds + 1e12])
      await refused(change(iat), 401, 'invalid_proof', { reason: 'time' })
    const ahead = randomUUID()
    for (const [iat, jti] of [[seconds - 50], [seconds + 55, ahead]] as const)
      expect((await change(iat, jti)).status).toBe(200)
    // It stays spent as long as its time is accepted, also after a sweep.
    world.api.clock.advance(110_000)
    await world.api.sweep()
    await refused(change(seconds + 55, ahead), 401, 'invalid_proof', { reason: 'replay' })
    world.api.clock.advance(20_000)
    await refused(change(seconds + 55, ahead), 401, 'invalid_proof', { reason: 'time' })
  })
  it('accepts a proof only once', async () => {
    const kit = await world.signedIn('replay@example.com')
    const proof = { jti: 'the-same-proof-again' }
    const change = () => kit.call('/users/me', { method: 'PATCH', body: { metadata: {} }, proof })
    const answers = await Promise.all([change(), change()])
    expect(getStatuses(answers)).toEqual([200, 401])
  })
  it('refuses a proof that was made for another token, or for none, by bearer and by cookie', async () => {
    const kit = await world.signedIn('bound@example.com')
    const before = kit.token
    kit.keep(await refresh(kit))
    const change = (proof: object, options: object = {}) =>
      kit.call('/users/me', { method: 'PATCH', body: { metadata: {} }, proof: { ...proof }, ...options })
    for (const ath of [sha256(before ?? ''), undefined])
      await refused(change({ ath }), 401, 'invalid_proof', { reason: 'token' })
    const asCookie = { token: '', headers: { origin: APP, cookie: `keybay_access_local=${kit.token}` } }
    await refused(change({ ath: undefined }, asCookie), 401, 'unauthorized')
    expect((await change({})).status).toBe(200)
  })
  it('a proof that a script made an hour ahead serves none of the tokens that follow', async () => {
    const kit = await world.signedIn('advance@example.com')
    const body = { metadata: { taken: true } }
    const path = '/api/v0/sdk/local/users/me'
    const facts = { iat: Math.floor(world.api.clock.now() / 1000) + 3600, ath: sha256(kit.token ?? '') }
    const dpop = kit.proofFor('PATCH', path, JSON.stringify(body), facts)
    world.api.clock.advance(3_600_000)
    kit.keep(await refresh(kit))
    const answer = kit.call('/users/me', { method: 'PATCH', body, proof: false, headers: { dpop } })
    await refused(answer, 401, 'invalid_proof', { reason: 'token' })
  })
  it('refuses a proof of a key that is not a P-256 key: invalid_session_public_key', async () => {
    const kit = world.kit()
    const header = (jwk: object) =>
      Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'dpop+jwt', jwk })).toString('base64url')
    for (const jwk of [
      {},
      { kty: 'RSA', n: 'x', e: 'AQAB' },
      { ...kit.publicKey, x: 'A'.repeat(43) },
      { ...kit.publicKey, d: 'A'.repeat(43) },
    ]) {
      const dpop = `${header(jwk)}.e30.${'A'.repeat(86)}`
      const answer = await kit.call('/auth/nonce', { method: 'POST', proof: false, headers: { dpop } })
      await refused(answer, 400, 'invalid_session_public_key')
    }
  })
})

describe('a refresh token', () => {
  it('a refresh token used several times at once gets one successor, and revokes nothing', async () => {
    const kit = await world.signedIn('twice@example.com')
    const answers = await Promise.all([refresh(kit), refresh(kit), refresh(kit)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1)
    expect((await refresh(kit, answers[0].body.refreshToken)).status).toBe(200)
  })
  it('a refresh token used again after ten seconds ends the session', async () => {
    const kit = await world.signedIn('later@example.com')
    const old = kit.refresh
    kit.keep(await refresh(kit))
    world.api.clock.advance(10_001)
    await refused(refresh(kit, old), 401, 'session_expired')
    await refused(refresh(kit), 401, 'session_expired')
    await refused(me(kit), 401, 'session_expired')
  })
  it('refuses an altered refresh token', async () => {
    const kit = await world.signedIn('altered@example.com')
    const [id, , hash] = (kit.refresh ?? '').split('.')
    for (const token of ['', 'x', `${id}.1.${hash}`, `${id}.0.${'A'.repeat(43)}`, `${kit.refresh}.x`])
      await refused(refresh(kit, token), 401, 'unauthorized')
  })
  it('a refresh token expires with the session after thirty days', async () => {
    const kit = await world.signedIn('month@example.com')
    world.api.clock.advance(30 * 86_400_000)
    expect((await refresh(kit)).status).toBe(401)
    await world.api.sweep()
  })
})

describe('sessions', () => {
  it('[S13.3] a session that expires ends neither another session of its user nor one of another user', async () => {
    const old = await world.signedIn('old-session@example.com')
    world.api.clock.advance(29 * 86_400_000)
    const others = [await world.signedIn('old-session@example.com'), await world.signedIn('young@example.com')]
    world.api.clock.advance(86_400_000)
    expect((await refresh(old)).status).toBe(401)
    await world.api.sweep()
    for (const kit of others) expect((await refresh(kit)).status).toBe(200)
    expect((await refresh(old)).status).toBe(401)
  })
  it('lists sessions, and ends a single session or all others', async () => {
    const [one, two, three] = [
      await world.signedIn('many@example.com'),
      await world.signedIn('many@example.com'),
      await world.signedIn('many@example.com'),
    ]
    const { body } = await one.call('/sessions')
    expect(body.sessions).toHaveLength(3)
    const second = (await two.call('/sessions')).body.sessions.find(({ current }: { current: boolean }) => current)
    expect((await one.call(`/sessions/${second.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await me(two)).status).toBe(401)
    expect((await one.call(`/sessions/${second.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await one.call('/sessions', { method: 'DELETE' })).body).toEqual({ ended: 1 })
    expect((await me(three)).status).toBe(401)
    expect((await me(one)).status).toBe(200)
  })
  it('a user cannot end a session of another user', async () => {
    const [ann, bob] = [await world.signedIn('ann-s@example.com'), await world.signedIn('bob-s@example.com')]
    const { body } = await bob.call('/sessions')
    expect((await ann.call(`/sessions/${body.sessions[0].id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await me(bob)).status).toBe(200)
  })
  it('[S11.4] signing out ends the session and its refresh token', async () => {
    const kit = await world.signedIn('out@example.com')
    expect((await kit.call('/auth/sign-out', { method: 'POST' })).status).toBe(204)
    expect((await me(kit)).status).toBe(401)
    expect((await refresh(kit)).status).toBe(401)
  })
  it('sign-in always creates a new session, and does not take over an existing session (fixation)', async () => {
    const key = newKey()
    const attacker = createKit(world, world.api, key)
    await attacker.signInByEmail('attacker@example.com')
    const victim = createKit(world, world.api, key)
    victim.token = attacker.token
    victim.refresh = attacker.refresh
    await victim.signInByEmail('victim@example.com')
    expect((await me(victim)).body.email).toBe('victim@example.com')
    expect((await me(attacker)).body.email).toBe('attacker@example.com')
    expect(victim.token).not.toBe(attacker.token)
  })
})

describe('cookie storage', () => {
  const signIn = (email: string, headers: Record<string, string>) => signInByCookie(world, email, headers)
  it('a session in cookies gives the wallet frame an access token, only to a page with the session’s key', async () => {
    const { kit, cookie } = await signIn('frame-token@example.com', { origin: APP })
    const ask = (options: object = {}, caller: Kit = kit) =>
      caller.call('/auth/frame-token', { method: 'POST', headers: { cookie, origin: APP }, ...options })
    await refused(ask({ proof: false }), 401, 'invalid_proof')
    await refused(ask({}, world.kit()), 401, 'invalid_proof')
    await refused(ask({ headers: { cookie } }), 401, 'unauthorized')
    const { status, body, headers } = await ask()
    expect({ status, cookies: headers.getSetCookie() }).toEqual({ status: 200, cookies: [] })
    expect(body).toEqual({ accessToken: expect.any(String), expiresAt: expect.any(Number) })
    const { email } = (await kit.call('/users/me', { token: body.accessToken })).body
    expect(email).toBe('frame-token@example.com')
    // Proofs for a cookie name no token, so that a script could make them in advance for this one.
    const forged = cookie.replace(/(keybay_access_local=)[^;]*/, `$1${body.accessToken}`)
    await refused(ask({ headers: { cookie: forged, origin: APP } }), 401, 'unauthorized')
    await kit.call('/auth/sign-out', { method: 'POST', headers: { cookie, origin: APP } })
    await refused(kit.call('/users/me', { token: body.accessToken }), 401, 'session_expired')
  })
  it('cookie storage keeps the tokens in HttpOnly cookies for this site, and out of the response body', async () => {
    const { kit, answer } = await signIn('cookie@example.com', { origin: APP })
    expect(answer.body).not.toHaveProperty('accessToken')
    expect(answer.body).not.toHaveProperty('refreshToken')
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/)
    const headers = { cookie: getCookies(answer), origin: APP }
    expect((await kit.call('/users/me', { headers })).body.email).toBe('cookie@example.com')
    const renewed = await kit.call('/auth/refresh', { body: {}, headers })
    expect(renewed.status).toBe(200)
    const later = { cookie: getCookies(renewed), origin: APP }
    const out = await kit.call('/auth/sign-out', { method: 'POST', headers: later })
    expect(out.status).toBe(204)
    for (const cookie of out.headers.getSetCookie()) expect(cookie).toContain('Max-Age=0')
  })
  it('refuses cookies sent by a foreign page, by a form or without an origin (CSRF)', async () => {
    const { kit, answer } = await signIn('csrf@example.com', { origin: APP })
    const cookie = getCookies(answer)
    const change = (headers: Record<string, string>, options = {}) =>
      kit.call('/users/me', {
        method: 'PATCH',
        body: { username: 'csrf' },
        headers: { cookie, ...headers },
        ...options,
      })
    expect(await change({ origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    expect(await change({ origin: 'null' })).toMatchObject({ status: 403 })
    expect(await change({})).toMatchObject({ status: 401 })
    expect(await change({ origin: APP }, { proof: false })).toMatchObject({ status: 401 })
    expect(await change({ origin: APP, 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await kit.call('/auth/refresh', { body: {}, headers: { cookie } })).toMatchObject({ status: 401 })
    expect((await change({ origin: APP })).status).toBe(200)
  })
  it('gives session cookies only to pages of the environment (login CSRF)', async () => {
    expect((await signIn('login@example.com', {})).answer).toMatchObject({ status: 401 })
    expect((await signIn('login@example.com', { origin: 'https://evil.example' })).answer).toMatchObject({
      status: 403,
    })
  })
})

describe('sign out everywhere', () => {
  it('[S11.4] ends every session and refresh token of the user, the caller’s too, and no other user’s', async () => {
    const [here, thief] = [
      await world.signedIn('everywhere@example.com'),
      await world.signedIn('everywhere@example.com'),
    ]
    const other = await world.signedIn('elsewhere@example.com')
    expect((await here.call('/auth/sign-out-everywhere', { method: 'POST' })).status).toBe(204)
    for (const kit of [here, thief]) {
      await refused(kit.call('/users/me'), 401, 'session_expired')
      await refused(
        kit.call('/auth/refresh', { body: { refreshToken: kit.refresh }, token: '' }),
        401,
        'session_expired',
      )
    }
    expect((await other.call('/users/me')).status).toBe(200)
  })
  it('is refused with a stolen token alone', async () => {
    const kit = await world.signedIn('token-alone@example.com')
    const stolen = { method: 'POST', proof: false } as const
    await refused(kit.call('/auth/sign-out-everywhere', stolen), 401, 'invalid_proof')
    expect((await kit.call('/users/me')).status).toBe(200)
  })
})
