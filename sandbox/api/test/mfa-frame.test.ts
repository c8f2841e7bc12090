/** Tests second factors entered in a wallet frame: what opens a step-up there, and what does not. */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { FRAME, getSession, getStatement } from './backup-frame.js'
import type { Totp } from './client.js'
import { APP, getStatuses, type Kit, refused, settings, sha256, startWorld } from './client.js'

const action = 'wallet.waas.sign'
const requestHash = sha256('what is signed')

const world = await startWorld({ environments: { local: { ...settings, frameOrigins: [FRAME] } } })
const token = await world.apiToken()
afterAll(world.stop)

interface User extends Totp {
  readonly kit: Kit
}

async function enrol(email: string): Promise<User> {
  const kit = await world.signedIn(email)
  return { kit, ...(await kit.enrolTotp()) }
}

function state({ kit }: User, claims: object = {}, typ?: string): string {
  return getStatement(world, kit, { op: 'mfa', hash: requestHash, jti: randomUUID(), ...claims }, typ)
}
/** Calls from the frame: with the token and the frame's origin, without a proof. */
function ask({ kit }: User, path: string, body: object, origin = FRAME) {
  return kit.call(`/mfa/frame${path}`, { body, proof: false, headers: { origin } })
}

function open(user: User, statement = state(user)) {
  return ask(user, '', { action, requestHash, statement })
}

it('a statement and a code from the frame make an MFA token for that request, once', async () => {
  const user = await enrol('frame@example.com')
  const { kit, deviceId } = user
  const opened = await open(user)
  const devices = [{ id: deviceId, method: 'totp' }]
  expect(opened).toMatchObject({ status: 201, body: { devices, demanded: true } })
  expect(opened.headers.get('access-control-allow-origin')).toBe(FRAME)
  const { id } = opened.body
  const { challengeId } = (await ask(user, `/${id}/challenges`, { deviceId })).body
  const answer = (code: string) => ask(user, `/${id}/answer`, { challengeId, code })
  await refused(answer('000000'), 401, 'mfa_invalid_code')
  const answered = await answer(world.nextTotp(user.secret))
  expect(answered.status).toBe(200)
  const { mfaToken } = answered.body
  const redeem = async (hash: string) => {
    const body = { mfaToken, action, requestHash: hash }
    return (await kit.call('/mfa/tokens/redeem', { body, token, proof: false })).status
  }
  expect(await redeem(sha256('something else'))).toBe(403)
  expect(await redeem(requestHash)).toBe(200)
  expect(await redeem(requestHash)).toBe(403)
  // The step-up has ended.
  expect((await ask(user, `/${id}/challenges`, { deviceId })).body.code).toBe('mfa_invalid_code')
})

it('a recovery code from the frame makes an MFA token, once', async () => {
  const user = await enrol('frame-recovery@example.com')
  const [recoveryCode] = user.recoveryCodes
  const answer = async () => {
    const { id } = (await open(user)).body
    const { challengeId } = (await ask(user, `/${id}/challenges`, {})).body
    return ask(user, `/${id}/answer`, { challengeId, recoveryCode })
  }
  expect((await answer()).status).toBe(200)
  expect((await answer()).body.code).toBe('mfa_invalid_code')
})

it('a statement that is wrong, stale or used opens no step-up: invalid_proof', async () => {
  const user = await enrol('frame-wrong@example.com')
  const other = await enrol('frame-other@example.com')
  const now = Math.floor(world.api.clock.now() / 1000)
  const used = state(user)
  expect(getStatuses(await Promise.all([open(user, used), open(user, used)]))).toEqual([201, 401])
  for (const [reason, statement] of [
    ['request', state(user, { hash: sha256('another request') })],
    ['claims', state(user, { op: 'signMessage' })],
    ['claims', state(user, { wallet: 'x' })],
    ['session', state(user, { sid: getSession(other.kit) })],
    ['signature', state(other)],
    ['signature', state(user, {}, 'dpop+jwt')],
    ['signature', 'no statement'],
    ['time', state(user, { iat: now - 120 })],
    ['time', state(user, { iat: now + 120 })],
    ['origin', state(user, { origin: 'http://evil.localhost' })],
    ['origin', state(user, { origin: FRAME })],
    ['replay', used],
  ] as const)
    await refused(open(user, statement), 401, 'invalid_proof', { reason })
})

it('only a frame with a bearer token can open a step-up, and it can do nothing else: origin_not_allowed', async () => {
  const user = await enrol('frame-origin@example.com')
  const { kit } = user
  const body = () => ({ action, requestHash, statement: state(user) })
  for (const origin of [APP, 'http://evil.localhost'])
    await refused(ask(user, '', body(), origin), 403, 'origin_not_allowed')
  const nowhere = await kit.call('/mfa/frame', { body: body(), proof: false })
  expect(nowhere.body.code).toBe('origin_not_allowed')
  const cookie = { origin: FRAME, cookie: `keybay_access_local=${kit.token}` }
  const byCookie = kit.call('/mfa/frame', { body: body(), token: '', proof: false, headers: cookie })
  await refused(byCookie, 401, 'unauthorized')
  const headers = { origin: FRAME }
  expect((await kit.call('/users/me', { headers })).body.code).toBe('origin_not_allowed')
  expect((await kit.call('/mfa/devices', { headers })).body.code).toBe('origin_not_allowed')
  expect((await kit.call('/auth/nonce', { method: 'POST', headers })).body.code).toBe('origin_not_allowed')
})

it('a step-up works only in its own session, and only with its own challenges', async () => {
  const user = await enrol('frame-own@example.com')
  const other = await enrol('frame-own-other@example.com')
  const { id } = (await open(user)).body
  expect((await ask(other, `/${id}/challenges`, {})).body.code).toBe('mfa_invalid_code')
  const second = (await open(user)).body.id
  const { challengeId } = (await ask(user, `/${second}/challenges`, {})).body
  const [recoveryCode] = user.recoveryCodes
  expect((await ask(user, `/${id}/answer`, { challengeId, recoveryCode })).body.code).toBe('mfa_invalid_code')
  expect((await ask(user, `/${second}/answer`, { challengeId, recoveryCode })).status).toBe(200)
  world.api.clock.advance(600_001)
  await user.kit.signInByEmail('frame-own@example.com')
  expect((await ask(user, `/${id}/challenges`, {})).status).not.toBe(201)
})

it('refuses an origin that is configured for both pages and frames', async () => {
  const environments = { local: { ...settings, frameOrigins: [APP] } }
  await expect(startWorld({ environments })).rejects.toThrow('a wallet frame needs an origin of its own')
})
