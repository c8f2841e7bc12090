/** Tests second factors entered in a wallet frame: what opens a step-up there, and what does not. */
import { type KeyObject, randomUUID, sign } from 'node:crypto'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { APP, type Kit, newKey, settings, sha256, startWorld, type World } from './client.js'

const FRAME = 'http://wallet.localhost:4200'
const action = 'wallet.waas.sign'
const requestHash = sha256('what is signed')

let world: World
let token = ''
beforeAll(async () => {
  world = await startWorld({ environments: { local: { ...settings, frameOrigins: [FRAME] } } })
  const headers = { authorization: `Bearer ${world.api.operatorToken}` }
  const made = await world.kit().call('/api-tokens', { body: { name: 'relay' }, headers, proof: false })
  token = made.body.token
})
afterAll(() => world.stop())

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function getSession(kit: Kit): string {
  return JSON.parse(Buffer.from(kit.token?.split('.')[1] ?? '', 'base64url').toString()).sid
}

interface Person {
  readonly kit: Kit
  readonly key: KeyObject
  readonly secret: string
  readonly deviceId: string
  readonly recoveryCodes: readonly string[]
}

async function enrol(email: string): Promise<Person> {
  const key = newKey()
  const kit = world.kit(key)
  await kit.signInByEmail(email)
  const { body } = await kit.call('/mfa/devices', { body: { method: 'totp' } })
  const { device, challenge, totp } = body
  const confirm = { challengeId: challenge.challengeId, code: totpAt(totp.secret, world.api.clock.now()) }
  const { recoveryCodes } = (await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).body
  return { kit, key, secret: totp.secret, deviceId: device.id, recoveryCodes }
}
/** Returns the next code, because each code works once. */
function nextCode(secret: string): string {
  world.api.clock.advance(30_000)
  return totpAt(secret, world.api.clock.now())
}

function state({ kit, key }: Person, claims: object = {}, typ = 'keybay-session+jwt'): string {
  const iat = Math.floor(world.api.clock.now() / 1000)
  const own = { sid: getSession(kit), op: 'mfa', hash: requestHash, origin: APP, iat, jti: randomUUID() }
  const text = `${encode({ alg: 'ES256', typ })}.${encode({ ...own, ...claims })}`
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
/** Calls from the frame: with the token and the frame's origin, without a proof. */
function ask({ kit }: Person, path: string, body: object, origin = FRAME) {
  return kit.call(`/mfa/frame${path}`, { body, proof: false, headers: { origin } })
}

function open(person: Person, statement = state(person)) {
  return ask(person, '', { action, requestHash, statement })
}

it('a statement and a code from the frame make an MFA token for that request, once', async () => {
  const person = await enrol('frame@example.com')
  const { kit, deviceId, secret } = person
  const opened = await open(person)
  expect(opened).toMatchObject({ status: 201, body: { devices: [{ id: deviceId, method: 'totp' }], demanded: true } })
  expect(opened.headers.get('access-control-allow-origin')).toBe(FRAME)
  const { id } = opened.body
  const { challengeId } = (await ask(person, `/${id}/challenges`, { deviceId })).body
  const wrong = await ask(person, `/${id}/answer`, { challengeId, code: '000000' })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'mfa_invalid_code' } })
  const answered = await ask(person, `/${id}/answer`, { challengeId, code: nextCode(secret) })
  expect(answered.status).toBe(200)
  const { mfaToken } = answered.body
  const redeem = (hash: string) =>
    kit.call('/mfa/tokens/redeem', { body: { mfaToken, action, requestHash: hash }, token, proof: false })
  expect((await redeem(sha256('something else'))).status).toBe(403)
  expect((await redeem(requestHash)).status).toBe(200)
  expect((await redeem(requestHash)).status).toBe(403)
  // The step-up has ended.
  expect((await ask(person, `/${id}/challenges`, { deviceId })).body.code).toBe('mfa_invalid_code')
})

it('a recovery code from the frame makes an MFA token, once', async () => {
  const person = await enrol('frame-recovery@example.com')
  const [recoveryCode] = person.recoveryCodes
  const answer = async () => {
    const { id } = (await open(person)).body
    const { challengeId } = (await ask(person, `/${id}/challenges`, {})).body
    return ask(person, `/${id}/answer`, { challengeId, recoveryCode })
  }
  expect((await answer()).status).toBe(200)
  expect((await answer()).body.code).toBe('mfa_invalid_code')
})

it('a statement that is wrong, stale or used opens no step-up: invalid_proof', async () => {
  const person = await enrol('frame-wrong@example.com')
  const other = await enrol('frame-other@example.com')
  const now = Math.floor(world.api.clock.now() / 1000)
  const refused = async (statement: string, reason: string) =>
    expect(await open(person, statement)).toMatchObject({
      status: 401,
      body: { code: 'invalid_proof', details: { reason } },
    })
  await refused(state(person, { hash: sha256('another request') }), 'request')
  await refused(state(person, { op: 'signMessage' }), 'claims')
  await refused(state(person, { wallet: 'x' }), 'claims')
  await refused(state(person, { sid: getSession(other.kit) }), 'session')
  await refused(state(other), 'signature')
  await refused(state(person, {}, 'dpop+jwt'), 'signature')
  await refused('no statement', 'signature')
  await refused(state(person, { iat: now - 120 }), 'time')
  await refused(state(person, { iat: now + 120 }), 'time')
  await refused(state(person, { origin: 'http://evil.localhost' }), 'origin')
  await refused(state(person, { origin: FRAME }), 'origin')
  const statement = state(person)
  const both = await Promise.all([open(person, statement), open(person, statement)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 401])
  await refused(statement, 'replay')
})

it('only a frame with a bearer token can open a step-up, and it can do nothing else: origin_not_allowed', async () => {
  const person = await enrol('frame-origin@example.com')
  const body = () => ({ action, requestHash, statement: state(person) })
  for (const origin of [APP, 'http://evil.localhost'])
    expect(await ask(person, '', body(), origin)).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
  const nowhere = await person.kit.call('/mfa/frame', { body: body(), proof: false })
  expect(nowhere.body.code).toBe('origin_not_allowed')
  const cookie = { origin: FRAME, cookie: `keybay_access_local=${person.kit.token}` }
  const byCookie = await person.kit.call('/mfa/frame', { body: body(), token: '', proof: false, headers: cookie })
  expect(byCookie).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  const headers = { origin: FRAME }
  expect((await person.kit.call('/users/me', { headers })).body.code).toBe('origin_not_allowed')
  expect((await person.kit.call('/mfa/devices', { headers })).body.code).toBe('origin_not_allowed')
  expect((await person.kit.call('/auth/nonce', { method: 'POST', headers })).body.code).toBe('origin_not_allowed')
})

it('a step-up works only in its own session, and only with its own challenges', async () => {
  const person = await enrol('frame-own@example.com')
  const other = await enrol('frame-own-other@example.com')
  const { id } = (await open(person)).body
  expect((await ask(other, `/${id}/challenges`, {})).body.code).toBe('mfa_invalid_code')
  const second = (await open(person)).body.id
  const { challengeId } = (await ask(person, `/${second}/challenges`, {})).body
  const [recoveryCode] = person.recoveryCodes
  expect((await ask(person, `/${id}/answer`, { challengeId, recoveryCode })).body.code).toBe('mfa_invalid_code')
  expect((await ask(person, `/${second}/answer`, { challengeId, recoveryCode })).status).toBe(200)
  world.api.clock.advance(600_001)
  await person.kit.signInByEmail('frame-own@example.com')
  expect((await ask(person, `/${id}/challenges`, {})).status).not.toBe(201)
})

it('refuses an origin that is configured for both pages and frames', async () => {
  const environments = { local: { ...settings, frameOrigins: [APP] } }
  await expect(startWorld({ environments })).rejects.toThrow('a wallet frame needs an origin of its own')
})
