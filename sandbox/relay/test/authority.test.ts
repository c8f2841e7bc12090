/** Authority of a co-signature: each part that is missing, wrong, old, another user's or replayed is refused. */
import bs58 from 'bs58'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Asked,
  asDevice,
  ask,
  b64,
  create,
  getHeaders,
  importKey,
  jws,
  newSeed,
  ok,
  only,
  policyHash,
  type ReshareOptions,
  refusal,
  reshare,
  type SignOptions,
  send,
  sha256,
  sign,
  text,
  type Wallet,
} from './frame/index.js'
import { newKey, startWorld, type User } from './world.js'

const world = await startWorld()
const r1 = only(world.r1)
let user: User
let wallet: Wallet
afterAll(() => world.stop())
beforeEach(async () => {
  user = await world.user()
  wallet = await create(r1, user)
})

const hello = text('hello')

function now() {
  return Math.floor(world.r1.clock.now() / 1000)
}

function getCors({ headers }: Response) {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

async function refused(options: SignOptions, status: number, code: string, reason?: string) {
  const answer = await sign(r1, wallet, hello, options)
  expect(answer).toMatchObject({ status, body: { code, ...(reason && { details: { reason } }) } })
  // The refusal used nothing up: the right request still passes.
  expect((await sign(r1, wallet, hello)).status).toBe(200)
}

describe('[S6.1] the access token', () => {
  it('answers 401 to an access token without a session signature', () =>
    refused({ session: false, claims: false }, 401, 'invalid_session_signature', 'missing'))
  it.each([
    ['is missing', ''],
    ['is none', 'Bearer x.y.z'],
    ['has no bearer', 'Basic abc'],
  ])('refuses a request whose access token %s', (_, authorization) =>
    refused({ headers: { authorization } }, 401, 'unauthorized'),
  )
  it('refuses an access token of another signing key', async () => {
    const [, payload] = (user.kit.token ?? '').split('.')
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
    const forged = jws(newKey(), 'at+jwt', claims)
    await refused({ headers: { authorization: `Bearer ${forged}` } }, 401, 'unauthorized')
  })
  it('refuses an expired access token', async () => {
    world.advance(3_600_000)
    expect(await sign(r1, wallet, hello)).toMatchObject(refusal(401, 'session_expired'))
    await world.refresh(user)
    expect((await sign(r1, wallet, hello)).status).toBe(200)
  })
  it('refuses the access token of an ended session after 10 s at most', async () => {
    expect((await sign(r1, wallet, hello)).status).toBe(200)
    await user.kit.call('/auth/sign-out', { method: 'POST' })
    world.advance(10_000)
    expect(await sign(r1, wallet, hello)).toMatchObject(refusal(401, 'session_expired'))
  })
  it('an access token of another user does not find the wallet', async () => {
    const other = await world.user()
    const stolenWallet = { ...wallet, user: other }
    expect(await sign(r1, stolenWallet, hello)).toMatchObject(refusal(404, 'wallet_not_found'))
  })
})

describe('[S6.1] the session signature', () => {
  it.each<[string, object, string]>([
    ['of another session', { sid: 'other' }, 'session'],
    ['for another operation', { op: 'signTransaction' }, 'operation'],
    ['for another wallet', { wallet: bs58.encode(new Uint8Array(32)) }, 'operation'],
    ['for no wallet', { wallet: undefined }, 'operation'],
    ['for other bytes', { hash: sha256('other') }, 'operation'],
    ['of another origin', { origin: 'http://evil.example' }, 'origin'],
    ['with an unknown claim', { more: 1 }, 'form'],
    ['without an id', { jti: '' }, 'form'],
  ])('refuses a session signature %s', (_, session, reason) =>
    refused({ session }, 401, 'invalid_session_signature', reason),
  )
  it('refuses a session signature dated in the past or the future', async () => {
    await refused({ session: { iat: now() - 301 } }, 401, 'invalid_session_signature', 'time')
    await refused({ session: { iat: now() + 70 } }, 401, 'invalid_session_signature', 'time')
  })
  it('refuses a session signature of another key', async () => {
    const thief = { ...wallet, user: { ...user, key: newKey() } }
    expect(await sign(r1, thief, hello)).toMatchObject({ body: { details: { reason: 'signature' } }, status: 401 })
  })
})

describe('the device signature', () => {
  it('refuses a signing request without a device signature', () =>
    refused({ claims: false }, 401, 'invalid_device_signature', 'missing'))
  it.each<[string, object, string]>([
    ['for the other relay', { aud: ['R2'] }, 'audience'],
    ['for another environment', { env: 'production' }, 'audience'],
    ['of another user', { sub: 'other' }, 'audience'],
    ['for another operation', { op: 'signTransaction' }, 'operation'],
    ['for other bytes', { hash: sha256('other') }, 'operation'],
    ['for another wallet', { wallet: '00000000-0000-4000-8000-000000000000' }, 'operation'],
    ['for another set', { set: '00000000-0000-4000-8000-000000000000' }, 'operation'],
    ['for other signers', { signers: ['B1', 'R1'] }, 'signers'],
    ['for another body', { bh: sha256('{}') }, 'body'],
    ['with an unknown claim', { more: 1 }, 'form'],
    ['with a short id', { jti: 'short' }, 'form'],
  ])('refuses a device signature %s', (_, claims, reason) =>
    refused({ claims }, 401, 'invalid_device_signature', reason),
  )
  it('refuses a device signature dated in the past or the future', async () => {
    await refused({ claims: { iat: now() - 62 } }, 401, 'invalid_device_signature', 'time')
    await refused({ claims: { iat: now() + 70 } }, 401, 'invalid_device_signature', 'time')
  })
  it('refuses a device signature of another key', () =>
    refused({ device: newKey() }, 401, 'invalid_device_signature', 'signature'))
  it('refuses a device signature of another algorithm', async () => {
    const none = `${Buffer.from('{"alg":"none","typ":"keybay-device+jwt"}').toString('base64url')}.e30.${'A'.repeat(86)}`
    await refused({ headers: { 'x-keybay-device': none } }, 401, 'invalid_device_signature', 'form')
  })
  it('refuses a device signature of another epoch, and returns the relay’s epoch', async () => {
    const answer = await sign(r1, wallet, hello, { epoch: 3 })
    expect(answer).toMatchObject(refusal(409, 'epoch_mismatch', { epoch: 0 }))
  })
  it('refuses a signed request whose body was altered', async () => {
    const answer = await sign(r1, wallet, hello, { rawBody: '{"setId":"x"}' })
    expect(answer).toMatchObject(refusal(401, 'invalid_device_signature', { reason: 'body' }))
    const body = JSON.stringify({ setId: wallet.setId, kind: 'message', message: b64(text('other')), commitment: 'AA' })
    expect(await sign(r1, wallet, hello, { rawBody: body })).toMatchObject({ status: 401 })
  })
  it('accepts a device signature once, even when several requests use the signature at the same time', async () => {
    const claims = { jti: 'once-and-never-again' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => sign(r1, wallet, hello, { claims })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    expect(await sign(r1, wallet, hello, { claims })).toMatchObject({ body: { details: { reason: 'replay' } } })
  })
  it('refuses a replay of a whole signed request', async () => {
    const body = JSON.stringify({ policy: null })
    const operation = asDevice(wallet, 'setPolicy', { hash: policyHash(wallet.setId, null), consent: true })
    const headers = getHeaders(user, world.r1.clock.now(), body, operation)
    const url = `${world.r1.internalUrl}/sdk/local/wallets/${wallet.walletId}/sets/${wallet.setId}/policy`
    expect((await send(url, headers, body)).status).toBe(200)
    expect(await send(url, headers, body)).toMatchObject({ status: 401, body: { details: { reason: 'replay' } } })
  })
})

describe('callers', () => {
  it('the relay refuses requests of a foreign page', () =>
    refused({ headers: { origin: 'http://evil.example' } }, 403, 'origin_not_allowed'))
  it('a page of a refused origin can read the relay’s refusal, but gets no permission from a preflight', async () => {
    for (const path of ['/wallets/list', '/operator', '/nowhere']) {
      const url = `${world.r1.internalUrl}/sdk/local${path}`
      const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' }
      const answer = await fetch(url, { method: 'POST', headers, body: '{}' })
      const body = { code: 'origin_not_allowed', message: 'This page may not use the relay.' }
      expect([path, answer.status, await answer.json()]).toEqual([path, 403, body])
      expect([path, getCors(answer)]).toEqual([path, { 'access-control-allow-origin': 'http://evil.example' }])
      expect(world.lineOf(answer)).toMatchObject({ status: 403, refusedOrigin: 'http://evil.example' })
      const preflight = await fetch(url, { method: 'OPTIONS', headers })
      expect([path, preflight.status, getCors(preflight)]).toEqual([path, 403, {}])
    }
  })
  it('R2 accepts requests only from R1', async () => {
    expect((await sign(only(world.r2), wallet, hello)).status).toBe(404)
    const body = JSON.stringify({
      environmentId: 'local',
      path: '/wallets/list',
      rawBody: '{}',
      headers: {},
      extra: {},
    })
    const headers = {
      'content-type': 'application/json',
      'x-keybay-peer': jws(newKey(), 'keybay-peer+jwt', { aud: 'R2', bh: sha256(body), iat: now() }),
    }
    expect(await send(`${world.r2.internalUrl}/peer`, headers, body)).toMatchObject({ status: 401 })
  })
  it('R2 checks every part of a request itself', async () => {
    const big = await create(r1, user, { scheme: 'THREE_OF_FIVE' })
    const answer = await sign(r1, big, hello, { claims: { aud: ['R1'] } })
    expect(answer).toMatchObject(refusal(401, 'invalid_device_signature', { reason: 'audience', by: 'R2' }))
    expect((await sign(r1, big, hello)).status).toBe(200)
  })
  it('the relay refuses too many signatures per minute', async () => {
    // Fixed clock: a minute must not end during the test.
    let stands = Date.now()
    const slow = await startWorld({ r1: { limitFactor: 1, clock: { now: () => stands } } })
    const target = only(slow.r1)
    const other = await slow.user()
    stands = Date.now()
    const limited = await create(target, other)
    const answers = []
    for (let count = 0; count < 121; count++) answers.push((await sign(target, limited, hello)).status)
    expect(answers.filter(status => status === 200)).toHaveLength(120)
    expect(await sign(target, limited, hello)).toMatchObject(refusal(429, 'too_many_requests'))
    slow.advance(60_000)
    expect((await sign(target, limited, hello)).status).toBe(200)
    await slow.stop()
  }, 60_000)
})

describe('second factors', () => {
  it('[S6.1] a signature requires a second factor token, valid once and for the signed bytes only', async () => {
    const factor = await world.enrol(user)
    const demanded = await sign(r1, wallet, hello)
    expect(demanded).toMatchObject({
      status: 403,
      body: { code: 'mfa_required', details: { action: 'wallet.waas.sign', devices: [{ id: factor.deviceId }] } },
    })
    const mfaToken = await world.tokenFor(user, demanded.body.details, factor)
    expect((await sign(r1, wallet, text('other'), { mfaToken })).body.code).toBe('mfa_required')
    const other = await create(r1, user)
    expect((await sign(r1, other, hello, { mfaToken })).body.code).toBe('mfa_required')
    expect((await sign(r1, wallet, hello, { mfaToken })).status).toBe(200)
    const signed = world.logs.findLast(({ status, route }) => status === 200 && route === '/wallets/{walletId}/sign')
    const redeemed = { route: '/mfa/tokens/redeem', status: 200, parentRequestId: signed?.requestId }
    expect(world.api.logs).toContainEqual(expect.objectContaining(redeemed))
    expect((await sign(r1, wallet, hello, { mfaToken })).body.code).toBe('mfa_required')
  })
  it('a second factor token covers a whole refresh at both relays, and no signature', async () => {
    const big = await create(r1, user, { scheme: 'THREE_OF_FIVE' })
    const factor = await world.enrol(user)
    const demanded = await reshare(r1, big)
    expect(demanded.begun.body).toMatchObject({ code: 'mfa_required', details: { action: 'wallet.waas.refresh' } })
    const mfaToken = await world.tokenFor(user, demanded.begun.body.details, factor)
    expect((await sign(r1, big, hello, { mfaToken })).body.code).toBe('mfa_required')
    const resharing = await reshare(r1, big, { asked: { mfaToken } })
    expect(resharing.begun.status).toBe(200)
    expect((await resharing.commit()).status).toBe(200)
  })
  it('a policy requires consent, and a looser policy the second factor too', async () => {
    const path = `/wallets/${wallet.walletId}/sets/${wallet.setId}/policy`
    const change = (policy: object | null, more: Partial<Asked> = {}, signed = policy) =>
      ask(
        r1,
        user,
        path,
        { policy },
        asDevice(wallet, 'setPolicy', { hash: policyHash(wallet.setId, signed), ...more }),
      )
    const factor = await world.enrol(user)
    const tight = { dailyLimit: '1', programs: [], messages: false }
    expect((await change(tight)).body.code).toBe('consent_required')
    expect(ok(await change(tight, { consent: true })).wallet.sets[0].policy).toEqual(tight)
    expect((await change(null)).body.code).toBe('consent_required')
    // The host signed this policy and no other, not even a stricter one.
    expect((await change({ ...tight, dailyLimit: '0' }, {}, tight)).body).toMatchObject({
      code: 'invalid_session_signature',
      details: { reason: 'operation' },
    })
    const demanded = await change(null, { consent: true })
    expect(demanded.body).toMatchObject({ code: 'mfa_required', details: { action: 'wallet.waas.reshare' } })
    const mfaToken = await world.tokenFor(user, demanded.body.details, factor)
    expect((await change(null, { consent: true, mfaToken })).status).toBe(200)
  })
  it('signRawMessage is off by default, and always requires a second factor where it is enabled', async () => {
    const raw = newSeed()
    expect((await sign(r1, wallet, raw, { kind: 'rawMessage' })).body).toMatchObject({
      code: 'policy_refused',
      details: { rule: 'raw-message' },
    })
    const open = await startWorld({ environment: { rawMessages: true } })
    const other = await create(only(open.r1), await open.user())
    expect((await sign(only(open.r1), other, raw, { kind: 'rawMessage' })).body.code).toBe('mfa_required')
    await open.stop()
  })
})

describe('rules that come with new shares', () => {
  it.each<[ReshareOptions['purpose'], Pick<ReshareOptions, 'by' | 'scheme'>]>([
    ['refresh', {}],
    ['reshare', { scheme: 'THREE_OF_FIVE' }],
    ['addDevice', { by: 'B1' }],
    ['replaceDevice', { by: 'B1' }],
  ])(
    'a %s keeps the policy of the set, and refuses another policy that the user has not signed',
    async (purpose, how) => {
      const three = await create(r1, user, { scheme: 'TWO_OF_THREE' })
      const looser = { programs: [], messages: true }
      const { begun } = await reshare(r1, three, { ...how, purpose, change: body => ({ ...body, policy: looser }) })
      expect(begun).toMatchObject(refusal(400, 'invalid_request', { reason: 'policy' }))
      const resharing = await reshare(r1, three, { ...how, purpose })
      const [set] = ok(await resharing.commit()).wallet.sets
      expect(set.policy ?? null).toBeNull()
    },
  )
})

describe('wrong shares', () => {
  const wrong = (body: Record<string, unknown>) => {
    const [box] = Array.isArray(body.subShares) ? body.subShares : []
    return { ...body, subShares: [{ ...box, box: b64(new Uint8Array(130)) }] }
  }
  it('counts wrong shares, and the fifth locks the device key but not the wallet', async () => {
    const three = await create(r1, user, { scheme: 'TWO_OF_THREE' })
    const second = await reshare(r1, three, { purpose: 'addDevice', by: 'B1' })
    const device2 = second.after(three, await second.commit())
    const lefts = []
    for (let count = 0; count < 5; count++) {
      const { begun } = await reshare(r1, three, { change: wrong })
      expect(begun).toMatchObject(refusal(400, 'bad_share'))
      lefts.push(begun.body.details.left)
    }
    expect(lefts).toEqual([4, 3, 2, 1, 0])
    expect((await sign(r1, three, hello)).body.code).toBe('device_locked')
    expect((await reshare(r1, three)).begun.body.code).toBe('device_locked')
    expect((await sign(r1, device2, hello)).status).toBe(200)
    // The backup still restores the wallet.
    const restored = await reshare(r1, three, { purpose: 'replaceDevice', by: 'B1' })
    const back = restored.after(three, await restored.commit())
    expect((await sign(r1, back, hello)).status).toBe(200)
  })
  it('a wrong proof of the new share commits nothing', async () => {
    const resharing = await reshare(r1, wallet)
    const answer = await resharing.commit(body => ({ ...body, proofs: [b64(new Uint8Array(64))] }))
    expect(answer.body).toMatchObject({ code: 'bad_share', details: { left: 4 } })
    const missing = await resharing.commit(body => ({ ...body, proofs: [] }))
    expect(missing.body.code).toBe('bad_share')
    expect((await sign(r1, wallet, hello)).status).toBe(200)
    expect((await resharing.commit()).status).toBe(200)
  })
  it('refuses a restore without the backup’s share', async () => {
    const three = await create(r1, user, { scheme: 'TWO_OF_THREE' })
    const thief = {
      purpose: 'replaceDevice' as const,
      by: 'B1' as const,
      change: (body: Record<string, unknown>) => ({ ...body, proofs: [b64(new Uint8Array(64))] }),
    }
    expect((await reshare(r1, three, thief)).begun.body.code).toBe('bad_share')
    expect((await reshare(r1, three, { ...thief, change: body => ({ ...body, proofs: [] }) })).begun.status).toBe(400)
    expect((await sign(r1, three, hello)).status).toBe(200)
  })
  it('an import whose share does not fit creates no wallet', async () => {
    const { answer } = await importKey(r1, user, newSeed(), 'TWO_OF_TWO', wrong)
    expect(answer).toMatchObject(refusal(400, 'bad_share'))
  })
})
