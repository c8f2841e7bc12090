/** Tests passkeys of a wallet frame's own host: how they are created, what they prove, and what they must not do. */
import { randomUUID } from 'node:crypto'
import { type Authenticator, newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { afterAll, expect, it } from 'vitest'
import { FRAME, getStatement } from './backup-frame.js'
import { APP, type Kit, refused, settings, sha256, startWorld } from './client.js'

const OTHER_FRAME = 'http://vault.localhost:4200'
const EVIL = 'http://evil.localhost'
const action = 'wallet.waas.sign'
const requestHash = sha256('what is signed')
const REFUSED = [401, 'invalid_passkey'] as const

const world = await startWorld({ environments: { local: { ...settings, frameOrigins: [FRAME, OTHER_FRAME] } } })
const token = await world.apiToken()
afterAll(world.stop)

/** Calls from the frame: with the token and the frame's origin, without a proof. */
function ask(kit: Kit, path: string, body?: object, origin = FRAME) {
  return kit.call(`/mfa/frame${path}`, { method: 'POST', ...(body && { body }), proof: false, headers: { origin } })
}

async function open(kit: Kit, origin = FRAME) {
  const statement = getStatement(world, kit, { op: 'mfa', hash: requestHash, jti: randomUUID() })
  return (await ask(kit, '', { action, requestHash, statement }, origin)).body
}

async function withTotp(email: string) {
  const kit = await world.signedIn(email)
  return { kit, ...(await kit.enrolTotp()) }
}

async function withPagePasskey(email: string) {
  const kit = await world.signedIn(email)
  const page = newAuthenticator()
  await kit.addPasskey(page)
  const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'passkey' } })).body
  const confirm = { challengeId: challenge.challengeId, passkey: page.get(challenge.options) }
  const { recoveryCodes } = (await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).body
  return { kit, page, deviceId: device.id, recoveryCodes }
}

async function create(kit: Kit, rightId: string, passkey: Authenticator, origin = FRAME, page = APP) {
  const begun = await ask(kit, `/${rightId}/passkeys/options`)
  if (begun.status !== 201) return begun
  const { challengeId, options } = begun.body
  return ask(kit, `/${rightId}/passkeys`, { challengeId, response: passkey.create(options, origin, page) })
}
/** Completes a new step-up with the frame's passkey. */
async function prove(kit: Kit, passkey: Authenticator, origin = FRAME, page = APP) {
  const { id } = await open(kit)
  const { challengeId, options } = (await ask(kit, `/${id}/challenges`, { passkey: true })).body
  return ask(kit, `/${id}/answer`, { challengeId, passkey: passkey.get(options ?? {}, origin, page) })
}
/** Enrols a passkey in the frame, with a code of the authenticator app. */
async function enrolByTotp(user: Awaited<ReturnType<typeof withTotp>>) {
  const { kit, deviceId, secret } = user
  const { id } = await open(kit)
  const { challengeId } = (await ask(kit, `/${id}/challenges`, { deviceId })).body
  const { enrolment } = (await ask(kit, `/${id}/answer`, { challengeId, code: world.nextTotp(secret) })).body
  const passkey = newAuthenticator('wallet.localhost')
  return { enrolment, passkey, enrolled: await create(kit, enrolment, passkey) }
}
function vouch({ kit, page, deviceId }: Awaited<ReturnType<typeof withPagePasskey>>, enrolmentId: string) {
  return confirmBy(kit, enrolmentId, deviceId, options => ({ passkey: page.get(options) }))
}

async function confirmBy(
  kit: Kit,
  enrolmentId: string,
  deviceId: string | undefined,
  answer: (options: Record<string, unknown>) => object,
  named = enrolmentId,
) {
  const path = (id: string) => `/mfa/frame-passkeys/${id}/confirm`
  const hash = sha256(`POST\n/api/v0/sdk/local${path(named)}\n`)
  const begun = await kit.call('/mfa/challenges', { body: { action: 'user.update', requestHash: hash, deviceId } })
  const { challengeId, options } = begun.body
  const { body } = await kit.call(`/mfa/challenges/${challengeId}`, { body: answer(options) })
  return kit.call(path(enrolmentId), { method: 'POST', headers: { 'x-keybay-mfa-token': body.mfaToken } })
}

it('[S6.1] a user creates a frame passkey after a code in the frame, and uses it as the factor next time', async () => {
  const user = await withTotp('frame-passkey@example.com')
  expect(await open(user.kit)).toMatchObject({ passkey: false })
  const { passkey, enrolled, enrolment } = await enrolByTotp(user)
  expect(enrolled).toMatchObject({ status: 201, body: {} })
  expect(enrolled.body.enrolmentId).toBeUndefined()
  expect(await open(user.kit)).toMatchObject({ passkey: true, devices: [{ method: 'totp' }] })
  const { status, body } = await prove(user.kit, passkey)
  expect(status).toBe(200)
  // A frame passkey cannot vouch for another.
  expect(body.enrolment).toBeUndefined()
  const redeem = { mfaToken: body.mfaToken, action, requestHash }
  const redeemed = await user.kit.call('/mfa/tokens/redeem', { body: redeem, token, proof: false })
  expect(redeemed).toMatchObject({ status: 200, body: { userId: expect.any(String) } })
  // The code's proof works only once.
  expect((await create(user.kit, enrolment, newAuthenticator('wallet.localhost'))).body.code).toBe('mfa_invalid_code')
})

it('[S6.1] a passkey of the page confirms the enrolment of one frame passkey, once', async () => {
  const user = await withPagePasskey('page-passkey@example.com')
  const passkey = newAuthenticator('wallet.localhost')
  const { id } = await open(user.kit)
  const { enrolmentId } = (await create(user.kit, id, passkey)).body
  expect(enrolmentId).toEqual(expect.any(String))
  // The passkey does not count yet.
  expect(await open(user.kit)).toMatchObject({ passkey: false })
  expect((await prove(user.kit, passkey)).status).not.toBe(200)
  expect((await vouch(user, enrolmentId)).status).toBe(204)
  expect((await prove(user.kit, passkey)).status).toBe(200)
  await refused(vouch(user, enrolmentId), ...REFUSED)
})

it('a script in the page cannot enrol a frame passkey by session, recovery code or another confirmation', async () => {
  const user = await withPagePasskey('page-script@example.com')
  const { kit, page, deviceId, recoveryCodes } = user
  const enrolment = async () =>
    (await create(user.kit, (await open(user.kit)).id, newAuthenticator('wallet.localhost'))).body.enrolmentId
  const enrolmentId = await enrolment()
  const alone = await kit.call(`/mfa/frame-passkeys/${enrolmentId}/confirm`, { method: 'POST' })
  await refused(alone, 403, 'mfa_required', { action: 'user.update' })
  const [recoveryCode] = recoveryCodes
  const byCode = await confirmBy(kit, enrolmentId, undefined, () => ({ recoveryCode }))
  expect(byCode.body.code).toBe('mfa_required')
  const yes = (options: Record<string, unknown>) => ({ passkey: page.get(options) })
  // The user confirmed one enrolment, so no other accepts the confirmation.
  expect((await confirmBy(kit, enrolmentId, deviceId, yes, await enrolment())).body.code).toBe('mfa_required')
  const stranger = await withPagePasskey('page-stranger@example.com')
  await refused(vouch(stranger, enrolmentId), ...REFUSED)
  expect((await vouch(user, enrolmentId)).status).toBe(204)
})

it('requires a completed step-up to enrol a frame passkey if the user has a factor that works in the frame', async () => {
  const user = await withTotp('unanswered@example.com')
  const passkey = newAuthenticator('wallet.localhost')
  await refused(create(user.kit, (await open(user.kit)).id, passkey), 403, 'forbidden')
  const withoutFactor = await world.signedIn('no-factor@example.com')
  const made = await create(withoutFactor, (await open(withoutFactor)).id, passkey)
  await refused(made, 404, 'mfa_device_not_found')
})

it('refuses a new frame passkey of another host, from another origin or page, or for a used challenge', async () => {
  const user = await withPagePasskey('hostile-creation@example.com')
  const { id } = await open(user.kit)
  await refused(create(user.kit, id, newAuthenticator('app.localhost')), ...REFUSED)
  await refused(create(user.kit, id, newAuthenticator('wallet.localhost'), APP), ...REFUSED)
  await refused(create(user.kit, id, newAuthenticator('wallet.localhost'), FRAME, EVIL), ...REFUSED)
  const { challengeId, options } = (await ask(user.kit, `/${id}/passkeys/options`)).body
  expect(options.rp.id).toBe('wallet.localhost')
  const body = { challengeId, response: newAuthenticator('wallet.localhost').create(options, FRAME) }
  // Try another step-up of the same user.
  await refused(ask(user.kit, `/${(await open(user.kit)).id}/passkeys`, body), ...REFUSED)
  const second = (await ask(user.kit, `/${id}/passkeys/options`)).body
  const again = {
    challengeId: second.challengeId,
    response: newAuthenticator('wallet.localhost').create(options, FRAME),
  }
  await refused(ask(user.kit, `/${id}/passkeys`, again), ...REFUSED)
})

it('refuses a frame passkey assertion for another host, origin, page or user, or for a used challenge', async () => {
  const user = await withTotp('hostile-assertion@example.com')
  const { passkey } = await enrolByTotp(user)
  const other = await withTotp('hostile-other@example.com')
  const { passkey: otherPasskey } = await enrolByTotp(other)
  await refused(prove(user.kit, passkey, APP), ...REFUSED)
  await refused(prove(user.kit, passkey, OTHER_FRAME), ...REFUSED)
  await refused(prove(user.kit, passkey, FRAME, EVIL), ...REFUSED)
  await refused(prove(user.kit, otherPasskey), ...REFUSED)
  const { id } = await open(user.kit)
  const first = (await ask(user.kit, `/${id}/challenges`, { passkey: true })).body
  const second = (await ask(user.kit, `/${id}/challenges`, { passkey: true })).body
  expect(first.options).toMatchObject({ rpId: 'wallet.localhost', allowCredentials: [{ id: passkey.id }] })
  const replayed = { challengeId: second.challengeId, passkey: passkey.get(first.options, FRAME) }
  await refused(ask(user.kit, `/${id}/answer`, replayed), ...REFUSED)
  const right = { challengeId: first.challengeId, passkey: passkey.get(first.options, FRAME) }
  expect((await ask(user.kit, `/${id}/answer`, right)).status).toBe(200)
  expect((await ask(user.kit, `/${id}/answer`, right)).body.code).toBe('mfa_invalid_code')
  // Another frame of the environment has no passkey.
  const vault = await open(user.kit, OTHER_FRAME)
  expect(vault.passkey).toBe(false)
  const begun = await ask(user.kit, `/${vault.id}/challenges`, { passkey: true }, OTHER_FRAME)
  await refused(begun, ...REFUSED)
})

it('sign-in and the page’s second factors neither list nor accept a frame passkey', async () => {
  const user = await withTotp('frame-only@example.com')
  const { kit } = user
  const { passkey } = await enrolByTotp(user)
  const stranger = world.kit()
  const { challengeId, options } = (await stranger.call('/auth/passkey/options', { method: 'POST' })).body
  for (const origin of [APP, FRAME]) {
    const signIn = { challengeId, response: passkey.get(options, origin) }
    await refused(stranger.call('/auth/passkey', { body: signIn }), ...REFUSED)
  }
  const me = await kit.call('/users/me')
  expect(me.body.credentials).toMatchObject([{ method: 'email' }])
  const devices = await kit.call('/mfa/devices')
  expect(devices.body.devices).toMatchObject([{ method: 'totp' }])
  expect(JSON.stringify([me.body, devices.body])).not.toContain(passkey.id)
  // Respond to the frame's challenge from the page.
  const { id } = await open(user.kit)
  const begun = (await ask(user.kit, `/${id}/challenges`, { passkey: true })).body
  const answer = await kit.call(`/mfa/challenges/${begun.challengeId}`, {
    body: { passkey: passkey.get(begun.options, FRAME) },
  })
  expect(answer.body.code).toBe('mfa_device_not_found')
  // In the page, a user with both kinds of passkeys is challenged for the page's.
  const both = await withPagePasskey('frame-both@example.com')
  const frames = newAuthenticator('wallet.localhost')
  await vouch(both, (await create(both.kit, (await open(both.kit)).id, frames)).body.enrolmentId)
  const inPage = await both.kit.call('/mfa/challenges', { body: { action, requestHash, deviceId: both.deviceId } })
  expect(inPage.body.options.allowCredentials).toMatchObject([{ id: both.page.id }])
  const wrong = { passkey: frames.get(inPage.body.options, APP) }
  await refused(both.kit.call(`/mfa/challenges/${inPage.body.challengeId}`, { body: wrong }), ...REFUSED)
})

it('a frame passkey ends with the factor or the recovery codes that confirmed it', async () => {
  const user = await withPagePasskey('ends@example.com')
  const { kit, page } = user
  const passkey = newAuthenticator('wallet.localhost')
  await vouch(user, (await create(user.kit, (await open(user.kit)).id, passkey)).body.enrolmentId)
  expect(await open(user.kit)).toMatchObject({ passkey: true })
  // A passkey that a recovery code vouched for ends when the codes are renewed.
  const { id } = await open(user.kit)
  const { challengeId } = (await ask(user.kit, `/${id}/challenges`, {})).body
  const [recoveryCode] = user.recoveryCodes
  const { enrolment } = (await ask(user.kit, `/${id}/answer`, { challengeId, recoveryCode })).body
  const byCode = newAuthenticator('wallet.localhost')
  expect((await create(user.kit, enrolment, byCode)).status).toBe(201)
  expect((await prove(user.kit, byCode)).status).toBe(200)
  const { deviceId } = user
  const answer = (options: Record<string, unknown>) => ({ passkey: page.get(options) })
  const withPasskey = (path: string, method: string) => kit.callWithMfa(path, { method }, answer, deviceId)
  expect((await withPasskey('/mfa/recovery-codes', 'POST')).status).toBe(201)
  await refused(prove(user.kit, byCode), ...REFUSED)
  expect((await prove(user.kit, passkey)).status).toBe(200)
  expect((await withPasskey(`/mfa/devices/${deviceId}`, 'DELETE')).status).toBe(204)
  expect(await open(user.kit)).toMatchObject({ passkey: false, demanded: false })
})
