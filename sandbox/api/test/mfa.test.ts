/** Tests second factors: enrolled, demanded, proved, lost. */
import { createPublicKey } from 'node:crypto'
import { redactText } from '@keybay/kernel/spec'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { afterAll, describe, expect, it } from 'vitest'
import { hotp } from '../src/mfa/totp.js'
import { readJws } from '../src/security/jws.js'
import { createKit, getStatuses, type Kit, newKey, refused, sha256, startWorld } from './client.js'

const world = await startWorld()
afterAll(world.stop)

async function enrolTotp(email: string) {
  const kit = await world.signedIn(email)
  return { kit, ...(await kit.enrolTotp()) }
}

function rename(kit: Kit, headers = {}) {
  return kit.call('/users/me', { method: 'PATCH', body: { metadata: { changed: true } }, headers })
}
const update = { method: 'PATCH', body: { metadata: { changed: true } } }

describe('RFC 6238', () => {
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('computes the code of RFC 6238 appendix B at %d s: %s', (seconds, code) => {
    expect(hotp(Buffer.from('12345678901234567890'), Math.floor(seconds / 30), 8)).toBe(code)
  })
})

describe('totp', () => {
  it('[S6.3] changing the user requires a TOTP code, and its MFA token works once, for this request only', async () => {
    const { kit, deviceId, secret, uri } = await enrolTotp('totp@example.com')
    expect(uri).toMatch(
      /^otpauth:\/\/totp\/Acme:totp%40example.com\?secret=[A-Z2-7]{32}&issuer=Acme&algorithm=SHA1&digits=6&period=30$/,
    )
    const demanded = await rename(kit)
    await refused(demanded, 403, 'mfa_required', { action: 'user.update', devices: [{ id: deviceId, method: 'totp' }] })
    const { action, requestHash } = demanded.body.details
    const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId } })
    const answer = { body: { code: world.nextTotp(secret) } }
    const { mfaToken } = (await kit.call(`/mfa/challenges/${begun.body.challengeId}`, answer)).body
    const header = { 'x-keybay-mfa-token': mfaToken }
    const other = await kit.call('/users/me', { method: 'PATCH', body: { metadata: { other: 1 } }, headers: header })
    expect(other.body.code).toBe('mfa_required')
    expect((await rename(kit, header)).status).toBe(200)
    expect((await rename(kit, header)).body.code).toBe('mfa_required')
  })
  it('accepts each TOTP code once, and refuses a reused code: mfa_invalid_code', async () => {
    const { kit, deviceId, secret } = await enrolTotp('once@example.com')
    const code = world.nextTotp(secret)
    expect((await kit.callWithMfa('/users/me', update, { code }, deviceId)).status).toBe(200)
    await refused(kit.callWithMfa('/users/me', update, { code }, deviceId), 401, 'mfa_invalid_code')
    world.api.clock.advance(300_000)
    const late = await kit.callWithMfa('/users/me', update, { code }, deviceId)
    expect(late.body.code).toBe('mfa_invalid_code')
  })
  it('counts a user’s wrong TOTP codes over all challenges, but not the right codes', async () => {
    const strict = await startWorld({ limitFactor: 1 })
    const kit = await strict.signedIn('busy@example.com')
    const { deviceId, secret } = await kit.enrolTotp()
    const answer = async (code: string) => {
      const scope = { action: 'wallet.waas.sign', requestHash: sha256('x'), deviceId }
      const { challengeId } = (await kit.call('/mfa/challenges', { body: scope })).body
      return (await kit.call(`/mfa/challenges/${challengeId}`, { body: { code } })).status
    }
    for (let signed = 0; signed < 17; signed++) {
      if (signed === 10) kit.keep(await kit.call('/auth/refresh', { body: { refreshToken: kit.refresh }, token: '' }))
      expect(await answer(strict.nextTotp(secret))).toBe(200)
    }
    for (let tried = 0; tried < 15; tried++) expect(await answer('wrong')).toBe(401)
    expect(await answer('wrong')).toBe(429)
    expect(await answer(strict.nextTotp(secret))).toBe(429)
    await strict.stop()
  })
  it('a user with TOTP needs a code to sign in', async () => {
    const { secret, deviceId } = await enrolTotp('sign-in@example.com')
    const kit = world.kit()
    const pending = (await kit.signInByEmail('sign-in@example.com')).body
    expect(pending).toMatchObject({ status: 'mfa-required', devices: [{ id: deviceId }] })
    expect(pending).not.toHaveProperty('accessToken')
    const { pendingId } = pending
    const stranger = await world.kit().call('/auth/mfa/challenge', { body: { pendingId, deviceId } })
    expect(stranger.body.code).toBe('mfa_invalid_code')
    const begun = await kit.call('/auth/mfa/challenge', { body: { pendingId, deviceId } })
    const finish = { pendingId, challengeId: begun.body.challengeId, code: world.nextTotp(secret) }
    const done = await kit.call('/auth/mfa', { body: finish })
    expect(done.body).toMatchObject({ status: 'authenticated', accessToken: expect.any(String) })
    expect((await kit.call('/auth/mfa', { body: finish })).body.code).toBe('mfa_invalid_code')
  })
  it('an unconfirmed second factor is neither listed nor required', async () => {
    const kit = await world.signedIn('unconfirmed@example.com')
    await kit.call('/mfa/devices', { body: { method: 'totp' } })
    expect((await kit.call('/mfa/devices')).body.devices).toEqual([])
    expect((await rename(kit)).status).toBe(200)
  })
})

describe('recovery codes', () => {
  it('each recovery code replaces a second factor once', async () => {
    const { kit, recoveryCodes } = await enrolTotp('recovery@example.com')
    expect(new Set(recoveryCodes).size).toBe(10)
    const [recoveryCode = ''] = recoveryCodes
    const typed = recoveryCode.toLowerCase().replace('-', ' ')
    expect((await kit.callWithMfa('/users/me', update, { recoveryCode: typed })).status).toBe(200)
    expect((await kit.callWithMfa('/users/me', update, { recoveryCode })).body.code).toBe('mfa_invalid_code')
    expect((await kit.call('/users/me')).body.mfa.recoveryCodes).toBe(9)
  })
  it('renewing recovery codes invalidates the old codes', async () => {
    const { kit, deviceId, secret, recoveryCodes } = await enrolTotp('renew@example.com')
    const renewal = { method: 'POST' }
    const renewed = await kit.callWithMfa('/mfa/recovery-codes', renewal, { code: world.nextTotp(secret) }, deviceId)
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    const old = await kit.callWithMfa('/users/me', update, { recoveryCode: recoveryCodes[1] })
    expect(old.body.code).toBe('mfa_invalid_code')
    const [recoveryCode] = renewed.body.recoveryCodes
    expect((await kit.callWithMfa('/users/me', update, { recoveryCode })).status).toBe(200)
  })
})

describe('other devices', () => {
  it('an emailed code works as a second factor', async () => {
    const kit = await world.signedIn('other-box@example.com')
    await kit.link('mail@example.com')
    const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'email' } })).body
    const code = await world.codeTo('mail@example.com')
    const confirm = { challengeId: challenge.challengeId, code }
    expect((await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).status).toBe(200)
    const { action, requestHash } = (await rename(kit)).body.details
    const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId: device.id } })
    const second = await world.codeTo('mail@example.com')
    const proved = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, { body: { code: second } })
    expect((await rename(kit, { 'x-keybay-mfa-token': proved.body.mfaToken })).status).toBe(200)
  })
})

describe('one session key for two users or two sessions, as only an attacker’s kit has it', () => {
  /** Creates two kits with the same key, so that anything bound only to the key would work for both. */
  const sharing = () => {
    const key = newKey()
    return [createKit(world, world.api, key), createKit(world, world.api, key)] as const
  }
  it('a user’s second factor does not complete another user’s sign-in', async () => {
    await enrolTotp('target@example.com')
    const ownDevice = await enrolTotp('own@example.com')
    const [asTarget, asSelf] = sharing()
    const target = (await asTarget.signInByEmail('target@example.com')).body
    const ownSignIn = (await asSelf.signInByEmail('own@example.com')).body
    const begin = { pendingId: ownSignIn.pendingId, deviceId: ownDevice.deviceId }
    const { challengeId } = (await asSelf.call('/auth/mfa/challenge', { body: begin })).body
    const finish = { pendingId: target.pendingId, challengeId, code: world.nextTotp(ownDevice.secret) }
    await refused(asTarget.call('/auth/mfa', { body: finish }), 401, 'mfa_invalid_code')
    const other = { pendingId: target.pendingId, deviceId: ownDevice.deviceId }
    expect((await asTarget.call('/auth/mfa/challenge', { body: other })).body.code).toBe('mfa_device_not_found')
  })
  it('a challenge makes no MFA token in another session, and a sign-in challenge makes none at all', async () => {
    const { deviceId, recoveryCodes } = await enrolTotp('sessions@example.com')
    const [first, second] = sharing()
    for (const [index, kit] of [first, second].entries()) {
      const { pendingId } = (await kit.signInByEmail('sessions@example.com')).body
      const { challengeId } = (await kit.call('/auth/mfa/challenge', { body: { pendingId } })).body
      const finish = { pendingId, challengeId, recoveryCode: recoveryCodes[index] }
      kit.keep(await kit.call('/auth/mfa', { body: finish }))
    }
    const scope = { action: 'user.update', requestHash: sha256('x') }
    const begun = (await first.call('/mfa/challenges', { body: scope })).body
    const answer = { body: { recoveryCode: recoveryCodes[2] } }
    expect((await second.call(`/mfa/challenges/${begun.challengeId}`, answer)).body.code).toBe('mfa_invalid_code')
    const { pendingId } = (await second.signInByEmail('sessions@example.com')).body
    const signingIn = (await second.call('/auth/mfa/challenge', { body: { pendingId, deviceId } })).body
    const asToken = { body: { recoveryCode: recoveryCodes[3] } }
    expect((await second.call(`/mfa/challenges/${signingIn.challengeId}`, asToken)).body.code).toBe('mfa_invalid_code')
  })
  it('a challenge of another device does not confirm a device', async () => {
    const [first, second] = sharing()
    await first.signInByEmail('confirm-a@example.com')
    await second.signInByEmail('confirm-b@example.com')
    const a = (await first.call('/mfa/devices', { body: { method: 'totp' } })).body
    const b = (await second.call('/mfa/devices', { body: { method: 'totp' } })).body
    const confirm = { challengeId: b.challenge.challengeId, code: world.nextTotp(b.totp.secret) }
    expect((await first.call(`/mfa/devices/${a.device.id}/confirm`, { body: confirm })).body.code).toBe(
      'mfa_invalid_code',
    )
    expect((await first.call('/mfa/devices')).body.devices).toEqual([])
  })
  it('refuses another user’s passkey as a second factor', async () => {
    const withPasskey = async (email: string) => {
      const kit = await world.signedIn(email)
      const authenticator = newAuthenticator()
      expect((await kit.addPasskey(authenticator)).status).toBe(201)
      return { kit, authenticator }
    }
    const [user, otherUser] = [await withPasskey('mine@example.com'), await withPasskey('theirs@example.com')]
    const { device, challenge } = (await user.kit.call('/mfa/devices', { body: { method: 'passkey' } })).body
    const confirm = (passkey: object) =>
      user.kit.call(`/mfa/devices/${device.id}/confirm`, { body: { challengeId: challenge.challengeId, passkey } })
    expect((await confirm(otherUser.authenticator.get(challenge.options))).body.code).toBe('invalid_passkey')
    expect((await confirm(user.authenticator.get(challenge.options))).status).toBe(200)
  })
})

it('refuses to unlink a credential that is a second factor, because the user could no longer prove it', async () => {
  const kit = await world.signedIn('factor@example.com')
  expect((await kit.link('+491700000091')).status).toBe(201)
  const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'email' } })).body
  const confirm = { challengeId: challenge.challengeId, code: await world.codeTo('factor@example.com') }
  const confirmed = await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })
  const [first, second, third] = confirmed.body.recoveryCodes
  const { credentials } = (await kit.call('/users/me')).body
  const getId = (method: string) =>
    credentials.find((credential: { method: string }) => credential.method === method).id
  const remove = { method: 'DELETE' }
  const path = `/users/me/credentials/${getId('email')}`
  await refused(kit.callWithMfa(path, remove, { recoveryCode: first }), 409, 'credential_is_factor')
  // The other code removes the factor, which frees the address.
  const gone = await kit.callWithMfa(`/mfa/devices/${device.id}`, remove, { recoveryCode: second })
  expect(gone.status).toBe(204)
  expect(third).toBeDefined()
  expect((await kit.call(path, remove)).status).toBe(204)
})

it('a user with a second factor is not merged away by control of the mailbox alone', async () => {
  await enrolTotp('victim@example.com')
  const thief = await world.signedIn('thief@example.com')
  const linked = await thief.link('victim@example.com')
  expect(linked.body).toMatchObject({ code: 'merge_accounts_invalid', details: { reason: 'mfa' } })
})

it('[S6.3] the acting service redeems an MFA token for a wallet action once', async () => {
  const { kit, deviceId, secret } = await enrolTotp('wallet@example.com')
  const token = await world.apiToken()
  const scope = { action: 'wallet.waas.export', requestHash: sha256('export this') }
  const begun = await kit.call('/mfa/challenges', { body: { ...scope, deviceId } })
  const answered = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, {
    body: { code: world.nextTotp(secret) },
  })
  const { mfaToken } = answered.body
  expect([mfaToken.slice(0, 4), redactText(mfaToken)]).toEqual(['mfa_', '[redacted]'])
  const redeem = (more: object) =>
    kit.call('/mfa/tokens/redeem', { token, proof: false, body: { ...scope, mfaToken, ...more } })
  expect((await redeem({ action: 'wallet.waas.sign' })).body.code).toBe('mfa_required')
  expect((await redeem({ requestHash: sha256('export that') })).body.code).toBe('mfa_required')
  const answers = await Promise.all([redeem({}), redeem({})])
  expect(getStatuses(answers)).toEqual([200, 403])
  // A party that must not trust a third party verifies the receipt with the published keys.
  const { receipt } = answers.find(({ status }) => status === 200)?.body ?? {}
  const jws = readJws(receipt)
  const { keys } = (await kit.call('/.well-known/jwks.json')).body
  const key = createPublicKey({
    key: keys.find(({ kid }: JsonWebKey & { kid: string }) => kid === jws?.kid),
    format: 'jwk',
  })
  expect(jws?.verifiedBy(key, 'keybay-mfa+jwt')).toBe(true)
  expect(jws?.payload).toMatchObject({ action: scope.action, rh: scope.requestHash, jti: sha256(mfaToken) })
})
