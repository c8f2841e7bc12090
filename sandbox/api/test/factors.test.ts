/** Plays a thief of one factor: who uses it twice, and who guesses the other one for months. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { afterAll, describe, expect, it } from 'vitest'
import { type Kit, refused, settings, startWorld } from './client.js'

const DAY = 86_400_000
const world = await startWorld({
  environments: {
    local: settings,
    single: { ...settings, mfa: { atSignIn: false } },
    lenient: { ...settings, mfa: { atSignIn: false, actions: ['wallet.waas.export'] } },
  },
})
afterAll(world.stop)

/** Enrols an email factor, whose code arrives at `email`. */
async function enrolEmail(kit: Kit, email: string, environmentId = 'local') {
  const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'email' }, environmentId })).body
  const body = { challengeId: challenge.challengeId, code: await world.codeTo(email) }
  const confirmed = await kit.call(`/mfa/devices/${device.id}/confirm`, { body, environmentId })
  return { deviceId: device.id, recoveryCodes: confirmed.body.recoveryCodes }
}

async function signInByPhone(phone: string) {
  const kit = world.kit()
  const { body } = await kit.call('/auth/phone', { body: { phoneNumber: phone } })
  const code = await world.codeTo(phone)
  const answer = await kit.call('/auth/phone/verify', { body: { verificationId: body.verificationId, code } })
  return { kit, pending: answer.body }
}

describe('a thief of the mailbox', () => {
  it('cannot sign in with two codes from it, even if it is the only second factor', async () => {
    const kit = await world.signedIn('box@example.com')
    await kit.link('+491700000301')
    const { deviceId, recoveryCodes } = await enrolEmail(kit, 'box@example.com')
    const thief = world.kit()
    const { body: pending } = await thief.signInByEmail('box@example.com')
    expect(pending).toMatchObject({ status: 'mfa-required', devices: [] })
    const { pendingId } = pending
    const begin = (id?: string) => thief.call('/auth/mfa/challenge', { body: { pendingId, deviceId: id } })
    await refused(begin(deviceId), 404, 'mfa_device_not_found', { reason: 'first-factor' })
    const { challengeId } = (await begin()).body
    const recover = { body: { pendingId, challengeId, recoveryCode: recoveryCodes[0] } }
    expect((await thief.call('/auth/mfa', recover)).body.status).toBe('authenticated')
  })
  it('is stopped by it, where the user signs in another way first', async () => {
    const owner = await world.signedIn('two@example.com')
    await owner.link('+491700000302')
    const { deviceId } = await enrolEmail(owner, 'two@example.com')
    const { kit, pending } = await signInByPhone('+491700000302')
    expect(pending.devices).toMatchObject([{ id: deviceId }])
    const { pendingId } = pending
    const { challengeId } = (await kit.call('/auth/mfa/challenge', { body: { pendingId, deviceId } })).body
    const code = await world.codeTo('two@example.com')
    expect((await kit.call('/auth/mfa', { body: { pendingId, challengeId, code } })).body.status).toBe('authenticated')
  })
  it('cannot change the account by it, where the environment asks for no second factor to sign in', async () => {
    const environmentId = 'single'
    const owner = await world.signedIn('single@example.com', environmentId)
    await owner.link('+491700000303', environmentId)
    const { deviceId } = await enrolEmail(owner, 'single@example.com', environmentId)
    const thief = await world.signedIn('single@example.com', environmentId)
    const change = { method: 'PATCH', body: { metadata: {} }, environmentId }
    const demanded = await thief.call('/users/me', change)
    await refused(demanded, 403, 'mfa_required', { devices: [] })
    const { action, requestHash } = demanded.body.details
    const challenge = thief.call('/mfa/challenges', { body: { action, requestHash, deviceId }, environmentId })
    await refused(challenge, 404, 'mfa_device_not_found', { reason: 'first-factor' })
  })
  it('cannot use a session from before the user had a second factor', async () => {
    const email = 'early@example.com'
    const [thief, owner] = [await world.signedIn(email), await world.signedIn(email)]
    await owner.link('+491700000304')
    const { deviceId, recoveryCodes } = await enrolEmail(owner, email)
    const change = { method: 'PATCH', body: { metadata: {} } }
    const begin = async (kit: Kit) => {
      const demanded = await kit.call('/users/me', change)
      await refused(demanded, 403, 'mfa_required', { devices: [] })
      const { action, requestHash } = demanded.body.details
      return kit.call('/mfa/challenges', { body: { action, requestHash, deviceId } })
    }
    await refused(begin(thief), 404, 'mfa_device_not_found', { reason: 'first-factor' })
    const { kit: byPhone, pending } = await signInByPhone('+491700000304')
    const { pendingId } = pending
    const { challengeId } = (await byPhone.call('/auth/mfa/challenge', { body: { pendingId } })).body
    const recover = { pendingId, challengeId, recoveryCode: recoveryCodes[0] }
    byPhone.keep(await byPhone.call('/auth/mfa', { body: recover }))
    // This sign-in proved two factors, so a code to the mailbox is enough for what follows.
    const demanded = await byPhone.call('/users/me', change)
    await refused(demanded, 403, 'mfa_required', { devices: [{ id: deviceId }] })
  })
  it('cannot use a session whose credential it has unlinked', async () => {
    const environmentId = 'lenient'
    const owner = await world.signedIn('left@example.com', environmentId)
    await owner.link('left+more@example.com', environmentId)
    await owner.link('+491700000305', environmentId)
    const { deviceId } = await enrolEmail(owner, 'left+more@example.com', environmentId)
    const thief = await world.signedIn('left@example.com', environmentId)
    const { credentials } = (await thief.call('/users/me', { environmentId })).body
    const own = credentials.find(({ email }: { email: string }) => email === 'left@example.com')
    const path = `/users/me/credentials/${own.id}`
    expect((await thief.call(path, { method: 'DELETE', environmentId })).status).toBe(204)
    const body = { action: 'wallet.waas.export', requestHash: 'x'.repeat(43), deviceId }
    const challenge = thief.call('/mfa/challenges', { body, environmentId })
    await refused(challenge, 404, 'mfa_device_not_found', { reason: 'first-factor' })
  })
  it('cannot use a second spelling of its address', async () => {
    for (const [first, second, phone] of [
      ['spelled@example.com', 'spelled+wallet@example.com', '+491700000310'],
      ['s.pell.ed@gmail.com', 'spelled+x@googlemail.com', '+491700000311'],
    ] as const) {
      const kit = await world.signedIn(first)
      await kit.link(second)
      await kit.link(phone)
      await enrolEmail(kit, second)
      expect((await world.kit().signInByEmail(first)).body).toMatchObject({ status: 'mfa-required', devices: [] })
    }
  })
  it('gets no code at the user’s other mailbox, which is a factor of its own', async () => {
    const kit = await world.signedIn('first-box@example.com')
    await kit.link('second-box@example.com')
    const { deviceId } = await enrolEmail(kit, 'second-box@example.com')
    const byFirst = (await world.kit().signInByEmail('first-box@example.com')).body
    expect(byFirst.devices).toMatchObject([{ id: deviceId }])
    const bySecond = (await world.kit().signInByEmail('second-box@example.com')).body
    expect(bySecond).toMatchObject({ status: 'mfa-required', devices: [] })
  })
})

describe('a user’s only way to sign in', () => {
  it('is no second factor as a mailbox: only the recovery codes would be left', async () => {
    const kit = await world.signedIn('only@example.com')
    const add = () => kit.call('/mfa/devices', { body: { method: 'email' } })
    await refused(add(), 404, 'mfa_device_not_found', { reason: 'first-factor' })
    await kit.link('only+more@example.com')
    await refused(add(), 404, 'mfa_device_not_found', { reason: 'first-factor' })
    await kit.link('+491700000320')
    expect((await add()).status).toBe(201)
  })
  it('stays another one than the mailbox that is a second factor', async () => {
    const kit = await world.signedIn('stays@example.com')
    await kit.link('+491700000321')
    const { recoveryCodes } = await enrolEmail(kit, 'stays@example.com')
    const { credentials } = (await kit.call('/users/me')).body
    const phone = credentials.find(({ method }: { method: string }) => method === 'phoneNumber')
    const path = `/users/me/credentials/${phone.id}`
    const remove = (recoveryCode: string) => kit.callWithMfa(path, { method: 'DELETE' }, { recoveryCode })
    await refused(remove(recoveryCodes[0]), 409, 'credential_is_factor')
    expect((await kit.call('/users/me')).body.credentials).toHaveLength(2)
  })
  it('is a second factor as a passkey only if its authenticator verifies the user', async () => {
    const kit = world.kit()
    const authenticator = newAuthenticator()
    const { challengeId, options } = (await kit.call('/auth/passkey/sign-up/options', { body: {} })).body
    const signUp = { challengeId, response: authenticator.create(options) }
    kit.keep(await kit.call('/auth/passkey/sign-up', { body: signUp }))
    const enrol = async (isVerified: boolean) => {
      const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'passkey' } })).body
      authenticator.claims.isVerified = isVerified
      const body = { challengeId: challenge.challengeId, passkey: authenticator.get(challenge.options) }
      return kit.call(`/mfa/devices/${device.id}/confirm`, { body })
    }
    await refused(enrol(false), 401, 'invalid_passkey', { reason: 'user-verification' })
    expect((await enrol(true)).status).toBe(200)
  })
})

describe('a passkey that signed in', () => {
  const signIn = async (email: string) => {
    const owner = await world.signedIn(email)
    const authenticator = newAuthenticator()
    await owner.addPasskey(authenticator)
    const { device, challenge } = (await owner.call('/mfa/devices', { body: { method: 'passkey' } })).body
    const body = { challengeId: challenge.challengeId, passkey: authenticator.get(challenge.options) }
    expect((await owner.call(`/mfa/devices/${device.id}/confirm`, { body })).status).toBe(200)
    const kit = world.kit()
    const started = (await kit.call('/auth/passkey/options', { method: 'POST' })).body
    const response = authenticator.get(started.options)
    const { pendingId } = (await kit.call('/auth/passkey', { body: { challengeId: started.challengeId, response } }))
      .body
    const begin = async () => (await kit.call('/auth/mfa/challenge', { body: { pendingId, deviceId: device.id } })).body
    const finish = (challengeId: string, passkey: object) =>
      kit.call('/auth/mfa', { body: { pendingId, challengeId, passkey } })
    return { authenticator, begin, finish }
  }
  it('is no second factor by another touch, only when its authenticator verifies the user', async () => {
    const { authenticator, begin, finish } = await signIn('touch@example.com')
    const { challengeId, options } = await begin()
    expect(options.userVerification).toBe('required')
    authenticator.claims.isVerified = false
    const touched = finish(challengeId, authenticator.get(options))
    await refused(touched, 401, 'invalid_passkey', { reason: 'user-verification' })
    authenticator.claims.isVerified = true
    expect((await finish(challengeId, authenticator.get(options))).body.status).toBe('authenticated')
  })
})

describe('a thief who guesses', () => {
  /** Challenges that take further answers: each takes five. */
  const open = new Map<string | undefined, { challengeId: string; left: number }>()
  const respond = async (kit: Kit, deviceId: string | undefined, body: object) => {
    const scope = { action: 'user.update', requestHash: 'x'.repeat(43), deviceId }
    const id = deviceId ?? kit.token
    const challenge = open.get(id) ?? { ...(await kit.call('/mfa/challenges', { body: scope })).body, left: 5 }
    const answer = await kit.call(`/mfa/challenges/${challenge.challengeId}`, { body })
    const left = answer.status === 401 ? challenge.left - 1 : 0
    if (left > 0) open.set(id, { ...challenge, left })
    else open.delete(id)
    return answer
  }
  const guess = (kit: Kit, deviceId: string, code: string) => respond(kit, deviceId, { code })
  const recover = (kit: Kit, recoveryCode: string | undefined) => respond(kit, undefined, { recoveryCode })
  it('has 100 guesses of a factor over its lifetime, however slowly, and leaves the other factors working', async () => {
    const kit = await world.signedIn('months@example.com')
    const { deviceId, secret, recoveryCodes } = await kit.enrolTotp()
    for (let day = 0; day < 100; day++) expect((await guess(kit, deviceId, 'wrong')).status).toBe(401)
    const thief = world.kit()
    const again = async () => {
      const { pendingId } = (await thief.signInByEmail('months@example.com')).body
      const { challengeId } = (await thief.call('/auth/mfa/challenge', { body: { pendingId, deviceId } })).body
      return thief.call('/auth/mfa', { body: { pendingId, challengeId, code: world.nextTotp(secret) } })
    }
    await refused(again(), 429, 'too_many_verification_attempts', { reason: 'locked' })
    world.api.clock.advance(29 * DAY)
    await refused(again(), 429, 'too_many_verification_attempts', { reason: 'locked' })
    const owner = world.kit()
    const { pendingId } = (await owner.signInByEmail('months@example.com')).body
    const { challengeId } = (await owner.call('/auth/mfa/challenge', { body: { pendingId } })).body
    const recover = { body: { pendingId, challengeId, recoveryCode: recoveryCodes[0] } }
    expect(owner.keep(await owner.call('/auth/mfa', recover)).body.status).toBe('authenticated')
    const removed = await owner.callWithMfa(
      `/mfa/devices/${deviceId}`,
      { method: 'DELETE' },
      { recoveryCode: recoveryCodes[1] },
    )
    expect(removed.status).toBe(204)
    const next = await owner.enrolTotp()
    expect((await guess(owner, next.deviceId, world.nextTotp(next.secret))).status).toBe(200)
  })
  it('does not reach the limit by guesses between right codes', async () => {
    const kit = await world.signedIn('typos@example.com')
    const { deviceId, secret } = await kit.enrolTotp()
    for (let round = 0; round < 3; round++) {
      for (let tried = 0; tried < 40; tried++) await guess(kit, deviceId, 'wrong')
      expect((await guess(kit, deviceId, world.nextTotp(secret))).status).toBe(200)
    }
  })
  it('has 100 guesses of the recovery codes over their lifetime, and leaves the devices and new codes working', async () => {
    const kit = await world.signedIn('recovery@example.com')
    const { deviceId, secret, recoveryCodes } = await kit.enrolTotp()
    for (let day = 0; day < 99; day++) expect((await recover(kit, 'wrong')).status).toBe(401)
    expect((await recover(kit, recoveryCodes[0])).status).toBe(200)
    for (let day = 0; day < 100; day++) expect((await recover(kit, 'wrong')).status).toBe(401)
    const locked = { reason: 'locked' }
    await refused(recover(kit, recoveryCodes[1]), 429, 'too_many_verification_attempts', locked)
    expect((await guess(kit, deviceId, world.nextTotp(secret))).status).toBe(200)
    await refused(recover(kit, recoveryCodes[1]), 429, 'too_many_verification_attempts', locked)
    const request = { method: 'POST' }
    const renewed = await kit.callWithMfa('/mfa/recovery-codes', request, { code: world.nextTotp(secret) }, deviceId)
    expect((await recover(kit, renewed.body.recoveryCodes[0])).status).toBe(200)
  })
  it('cannot lock the user’s other factor for 15 minutes by guesses of one', async () => {
    const strict = await startWorld({ limitFactor: 1 })
    const kit = await strict.signedIn('several@example.com')
    const phone = await kit.enrolTotp()
    const add = { body: { method: 'totp', name: 'Tablet' } }
    const { device, totp, challenge } = (
      await kit.callWithMfa('/mfa/devices', add, { code: strict.nextTotp(phone.secret) }, phone.deviceId)
    ).body
    const confirm = { challengeId: challenge.challengeId, code: totpAt(totp.secret, strict.api.clock.now()) }
    expect((await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).status).toBe(200)
    for (let tried = 0; tried < 15; tried++) await guess(kit, phone.deviceId, 'wrong')
    expect((await guess(kit, phone.deviceId, strict.nextTotp(phone.secret))).status).toBe(429)
    expect((await guess(kit, device.id, strict.nextTotp(totp.secret))).status).toBe(200)
    await strict.stop()
  })
})
