/** Tests passkeys of a wallet frame's own host: how they are created, what they prove, and what they must not do. */
import { type KeyObject, randomUUID } from 'node:crypto'
import { type Authenticator, newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FRAME, getStatement } from './backup-frame.js'
import { APP, type Kit, newKey, settings, sha256, startWorld, type World } from './client.js'

const OTHER_FRAME = 'http://vault.localhost:4200'
const EVIL = 'http://evil.localhost'
const action = 'wallet.waas.sign'
const requestHash = sha256('what is signed')
const refused = { status: 401, body: { code: 'invalid_passkey' } }

let world: World
let token = ''
beforeAll(async () => {
  const environments = { local: { ...settings, frameOrigins: [FRAME, OTHER_FRAME] } }
  world = await startWorld({ environments })
  const headers = { authorization: `Bearer ${world.api.operatorToken}` }
  const made = await world.kit().call('/api-tokens', { body: { name: 'relay' }, headers, proof: false })
  token = made.body.token
})
afterAll(() => world.stop())

interface Person {
  readonly kit: Kit
  readonly key: KeyObject
}

async function arrive(email: string): Promise<Person> {
  const key = newKey()
  const kit = world.kit(key)
  await kit.signInByEmail(email)
  return { kit, key }
}
/** Calls from the frame: with the token and the frame's origin, without a proof. */
function ask({ kit }: Person, path: string, body?: object, origin = FRAME) {
  return kit.call(`/mfa/frame${path}`, { method: 'POST', ...(body && { body }), proof: false, headers: { origin } })
}

async function open(person: Person, origin = FRAME) {
  const statement = getStatement(world, person, { op: 'mfa', hash: requestHash, jti: randomUUID() })
  return (await ask(person, '', { action, requestHash, statement }, origin)).body
}

async function withTotp(email: string) {
  const person = await arrive(email)
  const { device, challenge, totp } = (await person.kit.call('/mfa/devices', { body: { method: 'totp' } })).body
  const confirm = { challengeId: challenge.challengeId, code: totpAt(totp.secret, world.api.clock.now()) }
  const { recoveryCodes } = (await person.kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).body
  return { ...person, deviceId: device.id, secret: totp.secret, recoveryCodes }
}

async function withPagePasskey(email: string) {
  const person = await arrive(email)
  const { kit } = person
  const page = newAuthenticator()
  const { challengeId, options } = (await kit.call('/users/me/passkeys/options', { method: 'POST' })).body
  await kit.call('/users/me/passkeys', { body: { challengeId, response: page.create(options) } })
  const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'passkey' } })).body
  const confirm = { challengeId: challenge.challengeId, passkey: page.get(challenge.options) }
  const { recoveryCodes } = (await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).body
  return { ...person, page, deviceId: device.id, recoveryCodes }
}

async function create(person: Person, rightId: string, passkey: Authenticator, origin = FRAME, page = APP) {
  const begun = await ask(person, `/${rightId}/passkeys/options`)
  if (begun.status !== 201) return begun
  const { challengeId, options } = begun.body
  return ask(person, `/${rightId}/passkeys`, { challengeId, response: passkey.create(options, origin, page) })
}
/** Completes a new step-up with the frame's passkey. */
async function prove(person: Person, passkey: Authenticator, origin = FRAME, page = APP) {
  const { id } = await open(person)
  const { challengeId, options } = (await ask(person, `/${id}/challenges`, { passkey: true })).body
  return ask(person, `/${id}/answer`, { challengeId, passkey: passkey.get(options ?? {}, origin, page) })
}
/** Enrols a passkey in the frame, with a code of the authenticator app. */
async function enrolByTotp(person: Awaited<ReturnType<typeof withTotp>>) {
  const { id } = await open(person)
  const { challengeId } = (await ask(person, `/${id}/challenges`, { deviceId: person.deviceId })).body
  world.api.clock.advance(30_000)
  const code = totpAt(person.secret, world.api.clock.now())
  const { enrolment } = (await ask(person, `/${id}/answer`, { challengeId, code })).body
  const passkey = newAuthenticator('wallet.localhost')
  return { enrolment, passkey, enrolled: await create(person, enrolment, passkey) }
}
/** Confirms this enrolment with the page's passkey. */
function vouch(person: Awaited<ReturnType<typeof withPagePasskey>>, enrolmentId: string, answer?: object) {
  return confirmBy(
    person.kit,
    enrolmentId,
    person.deviceId,
    answer ? () => answer : options => ({ passkey: person.page.get(options) }),
  )
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
  const person = await withTotp('frame-passkey@example.com')
  expect(await open(person)).toMatchObject({ passkey: false })
  const { passkey, enrolled, enrolment } = await enrolByTotp(person)
  expect(enrolled).toMatchObject({ status: 201, body: {} })
  expect(enrolled.body.enrolmentId).toBeUndefined()
  expect(await open(person)).toMatchObject({ passkey: true, devices: [{ method: 'totp' }] })
  const { status, body } = await prove(person, passkey)
  expect(status).toBe(200)
  // A frame passkey cannot vouch for another.
  expect(body.enrolment).toBeUndefined()
  const redeem = { mfaToken: body.mfaToken, action, requestHash }
  const redeemed = await person.kit.call('/mfa/tokens/redeem', { body: redeem, token, proof: false })
  expect(redeemed).toMatchObject({ status: 200, body: { userId: expect.any(String) } })
  // The code's proof works only once.
  expect((await create(person, enrolment, newAuthenticator('wallet.localhost'))).body.code).toBe('mfa_invalid_code')
})

it('[S6.1] a passkey of the page confirms the enrolment of one frame passkey, once', async () => {
  const person = await withPagePasskey('page-passkey@example.com')
  const passkey = newAuthenticator('wallet.localhost')
  const { id } = await open(person)
  const { enrolmentId } = (await create(person, id, passkey)).body
  expect(enrolmentId).toEqual(expect.any(String))
  // The passkey does not count yet.
  expect(await open(person)).toMatchObject({ passkey: false })
  expect((await prove(person, passkey)).status).not.toBe(200)
  expect((await vouch(person, enrolmentId)).status).toBe(204)
  expect((await prove(person, passkey)).status).toBe(200)
  expect(await vouch(person, enrolmentId)).toMatchObject(refused)
})

it('a script in the page cannot enrol a frame passkey by session, recovery code or another confirmation', async () => {
  const person = await withPagePasskey('page-script@example.com')
  const { kit, page, deviceId, recoveryCodes } = person
  const enrolment = async () =>
    (await create(person, (await open(person)).id, newAuthenticator('wallet.localhost'))).body.enrolmentId
  const wanted = await enrolment()
  const alone = await kit.call(`/mfa/frame-passkeys/${wanted}/confirm`, { method: 'POST' })
  expect(alone).toMatchObject({ status: 403, body: { code: 'mfa_required', details: { action: 'user.update' } } })
  const [recoveryCode] = recoveryCodes
  const byCode = await confirmBy(kit, wanted, undefined, () => ({ recoveryCode }))
  expect(byCode.body.code).toBe('mfa_required')
  const yes = (options: Record<string, unknown>) => ({ passkey: page.get(options) })
  // The user confirmed one enrolment, so no other accepts the confirmation.
  expect((await confirmBy(kit, wanted, deviceId, yes, await enrolment())).body.code).toBe('mfa_required')
  const stranger = await withPagePasskey('page-stranger@example.com')
  expect(await vouch(stranger, wanted)).toMatchObject(refused)
  expect((await vouch(person, wanted)).status).toBe(204)
})

it('requires a completed step-up to enrol a frame passkey if the user has a factor that works in the frame', async () => {
  const person = await withTotp('unanswered@example.com')
  const passkey = newAuthenticator('wallet.localhost')
  expect(await create(person, (await open(person)).id, passkey)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  const nobody = await arrive('no-factor@example.com')
  const made = await create(nobody, (await open(nobody)).id, passkey)
  expect(made).toMatchObject({ status: 404, body: { code: 'mfa_device_not_found' } })
})

it('refuses a new frame passkey of another host, from another origin or page, or for a used challenge', async () => {
  const person = await withPagePasskey('hostile-creation@example.com')
  const { id } = await open(person)
  expect(await create(person, id, newAuthenticator('app.localhost'))).toMatchObject(refused)
  expect(await create(person, id, newAuthenticator('wallet.localhost'), APP)).toMatchObject(refused)
  expect(await create(person, id, newAuthenticator('wallet.localhost'), FRAME, EVIL)).toMatchObject(refused)
  const { challengeId, options } = (await ask(person, `/${id}/passkeys/options`)).body
  expect(options.rp.id).toBe('wallet.localhost')
  const body = { challengeId, response: newAuthenticator('wallet.localhost').create(options, FRAME) }
  // Try another step-up of the same user.
  expect(await ask(person, `/${(await open(person)).id}/passkeys`, body)).toMatchObject(refused)
  const second = (await ask(person, `/${id}/passkeys/options`)).body
  const again = {
    challengeId: second.challengeId,
    response: newAuthenticator('wallet.localhost').create(options, FRAME),
  }
  expect(await ask(person, `/${id}/passkeys`, again)).toMatchObject(refused)
})

it('refuses a frame passkey assertion for another host, origin, page or user, or for a used challenge', async () => {
  const person = await withTotp('hostile-assertion@example.com')
  const { passkey } = await enrolByTotp(person)
  const other = await withTotp('hostile-other@example.com')
  const { passkey: theirs } = await enrolByTotp(other)
  expect(await prove(person, passkey, APP)).toMatchObject(refused)
  expect(await prove(person, passkey, OTHER_FRAME)).toMatchObject(refused)
  expect(await prove(person, passkey, FRAME, EVIL)).toMatchObject(refused)
  expect(await prove(person, theirs)).toMatchObject(refused)
  const { id } = await open(person)
  const first = (await ask(person, `/${id}/challenges`, { passkey: true })).body
  const second = (await ask(person, `/${id}/challenges`, { passkey: true })).body
  expect(first.options).toMatchObject({ rpId: 'wallet.localhost', allowCredentials: [{ id: passkey.id }] })
  const replayed = { challengeId: second.challengeId, passkey: passkey.get(first.options, FRAME) }
  expect(await ask(person, `/${id}/answer`, replayed)).toMatchObject(refused)
  const right = { challengeId: first.challengeId, passkey: passkey.get(first.options, FRAME) }
  expect((await ask(person, `/${id}/answer`, right)).status).toBe(200)
  expect((await ask(person, `/${id}/answer`, right)).body.code).toBe('mfa_invalid_code')
  // Another frame of the environment has no passkey.
  const vault = await open(person, OTHER_FRAME)
  expect(vault.passkey).toBe(false)
  const begun = await ask(person, `/${vault.id}/challenges`, { passkey: true }, OTHER_FRAME)
  expect(begun).toMatchObject(refused)
})

it('sign-in and the page’s second factors neither list nor accept a frame passkey', async () => {
  const person = await withTotp('frame-only@example.com')
  const { kit } = person
  const { passkey } = await enrolByTotp(person)
  const stranger = world.kit()
  const { challengeId, options } = (await stranger.call('/auth/passkey/options', { method: 'POST' })).body
  for (const origin of [APP, FRAME]) {
    const signIn = { challengeId, response: passkey.get(options, origin) }
    expect(await stranger.call('/auth/passkey', { body: signIn })).toMatchObject(refused)
  }
  const me = await kit.call('/users/me')
  expect(me.body.credentials).toMatchObject([{ method: 'email' }])
  const devices = await kit.call('/mfa/devices')
  expect(devices.body.devices).toMatchObject([{ method: 'totp' }])
  expect(JSON.stringify([me.body, devices.body])).not.toContain(passkey.id)
  // Respond to the frame's challenge from the page.
  const { id } = await open(person)
  const begun = (await ask(person, `/${id}/challenges`, { passkey: true })).body
  const answer = await kit.call(`/mfa/challenges/${begun.challengeId}`, {
    body: { passkey: passkey.get(begun.options, FRAME) },
  })
  expect(answer.body.code).toBe('mfa_device_not_found')
  // In the page, a user with both kinds of passkeys is challenged for the page's.
  const both = await withPagePasskey('frame-both@example.com')
  const frames = newAuthenticator('wallet.localhost')
  await vouch(both, (await create(both, (await open(both)).id, frames)).body.enrolmentId)
  const inPage = await both.kit.call('/mfa/challenges', { body: { action, requestHash, deviceId: both.deviceId } })
  expect(inPage.body.options.allowCredentials).toMatchObject([{ id: both.page.id }])
  const wrong = { passkey: frames.get(inPage.body.options, APP) }
  expect(await both.kit.call(`/mfa/challenges/${inPage.body.challengeId}`, { body: wrong })).toMatchObject(refused)
})

it('a frame passkey ends with the factor or the recovery codes that confirmed it', async () => {
  const person = await withPagePasskey('ends@example.com')
  const { kit, page } = person
  const passkey = newAuthenticator('wallet.localhost')
  await vouch(person, (await create(person, (await open(person)).id, passkey)).body.enrolmentId)
  expect(await open(person)).toMatchObject({ passkey: true })
  // A passkey that a recovery code vouched for ends when the codes are renewed.
  const { id } = await open(person)
  const { challengeId } = (await ask(person, `/${id}/challenges`, {})).body
  const [recoveryCode] = person.recoveryCodes
  const { enrolment } = (await ask(person, `/${id}/answer`, { challengeId, recoveryCode })).body
  const byCode = newAuthenticator('wallet.localhost')
  expect((await create(person, enrolment, byCode)).status).toBe(201)
  expect((await prove(person, byCode)).status).toBe(200)
  const { deviceId } = person
  const withPasskey = async (path: string, method: string) => {
    const hash = sha256(`${method}\n/api/v0/sdk/local${path}\n`)
    const begun = (await kit.call('/mfa/challenges', { body: { action: 'user.update', requestHash: hash, deviceId } }))
      .body
    const proved = await kit.call(`/mfa/challenges/${begun.challengeId}`, {
      body: { passkey: page.get(begun.options) },
    })
    return kit.call(path, { method, headers: { 'x-keybay-mfa-token': proved.body.mfaToken } })
  }
  expect((await withPasskey('/mfa/recovery-codes', 'POST')).status).toBe(201)
  expect(await prove(person, byCode)).toMatchObject(refused)
  expect((await prove(person, passkey)).status).toBe(200)
  expect((await withPasskey(`/mfa/devices/${deviceId}`, 'DELETE')).status).toBe(204)
  expect(await open(person)).toMatchObject({ passkey: false, demanded: false })
})
