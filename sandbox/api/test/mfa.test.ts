/** Tests second factors: enrolled, demanded, proved, lost. */
import { createPublicKey } from 'node:crypto'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hotp } from '../src/mfa/totp.js'
import { readJws } from '../src/security/jws.js'
import { createKit, type Kit, newKey, sha256, startWorld, type World } from './client.js'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

function totp(secret: string): string {
  return totpAt(secret, world.api.clock.now())
}
/** Returns the next code, because each code works once. */
function nextTotp(secret: string): string {
  world.api.clock.advance(30_000)
  return totp(secret)
}

async function enrolTotp(email: string) {
  const kit = world.kit()
  await kit.signInByEmail(email)
  const { body } = await kit.call('/mfa/devices', { body: { method: 'totp', name: 'Phone' } })
  const { device, challenge, totp: made } = body
  const confirm = { challengeId: challenge.challengeId, code: totp(made.secret) }
  const confirmed = await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })
  return { kit, device, secret: made.secret as string, uri: made.uri, recoveryCodes: confirmed.body.recoveryCodes }
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
    const { kit, device, secret, uri } = await enrolTotp('totp@example.com')
    expect(uri).toMatch(
      /^otpauth:\/\/totp\/Acme:totp%40example.com\?secret=[A-Z2-7]{32}&issuer=Acme&algorithm=SHA1&digits=6&period=30$/,
    )
    const demanded = await rename(kit)
    expect(demanded).toMatchObject({
      status: 403,
      body: { code: 'mfa_required', details: { action: 'user.update', devices: [{ id: device.id, method: 'totp' }] } },
    })
    const { action, requestHash } = demanded.body.details
    const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId: device.id } })
    const answer = { body: { code: nextTotp(secret) } }
    const { mfaToken } = (await kit.call(`/mfa/challenges/${begun.body.challengeId}`, answer)).body
    const header = { 'x-keybay-mfa-token': mfaToken }
    const other = await kit.call('/users/me', { method: 'PATCH', body: { metadata: { other: 1 } }, headers: header })
    expect(other.body.code).toBe('mfa_required')
    expect((await rename(kit, header)).status).toBe(200)
    expect((await rename(kit, header)).body.code).toBe('mfa_required')
  })

  it('accepts each TOTP code once, and refuses a reused code: mfa_invalid_code', async () => {
    const { kit, device, secret } = await enrolTotp('once@example.com')
    const code = nextTotp(secret)
    expect((await kit.callWithMfa('/users/me', update, { code }, device.id)).status).toBe(200)
    expect(await kit.callWithMfa('/users/me', update, { code }, device.id)).toMatchObject({
      status: 401,
      body: { code: 'mfa_invalid_code' },
    })
    world.api.clock.advance(300_000)
    const late = await kit.callWithMfa('/users/me', update, { code }, device.id)
    expect(late.body.code).toBe('mfa_invalid_code')
  })

  it('a TOTP challenge allows five tries: too_many_verification_attempts', async () => {
    const { kit, device } = await enrolTotp('five@example.com')
    const scope = { action: 'user.update', requestHash: sha256('x'), deviceId: device.id }
    const { body } = await kit.call('/mfa/challenges', { body: scope })
    const answer = () => kit.call(`/mfa/challenges/${body.challengeId}`, { body: { code: 'wrong' } })
    for (let tried = 0; tried < 5; tried++) expect((await answer()).status).toBe(401)
    expect(await answer()).toMatchObject({ status: 429, body: { code: 'too_many_verification_attempts' } })
  })

  it('counts a user’s wrong TOTP codes over all challenges, but not the right codes', async () => {
    const strict = await startWorld({ limitFactor: 1 })
    const kit = strict.kit()
    await kit.signInByEmail('busy@example.com')
    const { device, challenge, totp: made } = (await kit.call('/mfa/devices', { body: { method: 'totp' } })).body
    const now = () => totpAt(made.secret, strict.api.clock.now())
    const confirm = { challengeId: challenge.challengeId, code: now() }
    expect((await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).status).toBe(200)
    const answer = async (code: () => string) => {
      const scope = { action: 'wallet.waas.sign', requestHash: sha256('x'), deviceId: device.id }
      const { challengeId } = (await kit.call('/mfa/challenges', { body: scope })).body
      return (await kit.call(`/mfa/challenges/${challengeId}`, { body: { code: code() } })).status
    }
    for (let signed = 0; signed < 17; signed++) {
      strict.api.clock.advance(30_000)
      if (signed === 10) kit.keep(await kit.call('/auth/refresh', { body: { refreshToken: kit.refresh }, token: '' }))
      expect(await answer(now)).toBe(200)
    }
    for (let tried = 0; tried < 15; tried++) expect(await answer(() => 'wrong')).toBe(401)
    expect(await answer(() => 'wrong')).toBe(429)
    strict.api.clock.advance(30_000)
    expect(await answer(now)).toBe(429)
    await strict.stop()
  })

  it('a user with TOTP needs a code to sign in', async () => {
    const { secret, device } = await enrolTotp('sign-in@example.com')
    const kit = world.kit()
    const pending = (await kit.signInByEmail('sign-in@example.com')).body
    expect(pending).toMatchObject({ status: 'mfa-required', devices: [{ id: device.id }] })
    expect(pending).not.toHaveProperty('accessToken')
    const { pendingId } = pending
    const stranger = await world.kit().call('/auth/mfa/challenge', { body: { pendingId, deviceId: device.id } })
    expect(stranger.body.code).toBe('mfa_invalid_code')
    const begun = await kit.call('/auth/mfa/challenge', { body: { pendingId, deviceId: device.id } })
    const finish = { pendingId, challengeId: begun.body.challengeId, code: nextTotp(secret) }
    const done = await kit.call('/auth/mfa', { body: finish })
    expect(done.body).toMatchObject({ status: 'authenticated', accessToken: expect.any(String) })
    expect((await kit.call('/auth/mfa', { body: finish })).body.code).toBe('mfa_invalid_code')
  })

  it('an unconfirmed second factor is neither listed nor required', async () => {
    const kit = world.kit()
    await kit.signInByEmail('unconfirmed@example.com')
    await kit.call('/mfa/devices', { body: { method: 'totp' } })
    expect((await kit.call('/mfa/devices')).body.devices).toEqual([])
    expect((await rename(kit)).status).toBe(200)
  })
})

describe('recovery codes', () => {
  it('each recovery code replaces a second factor once', async () => {
    const { kit, recoveryCodes } = await enrolTotp('recovery@example.com')
    expect(new Set(recoveryCodes).size).toBe(10)
    const [recoveryCode] = recoveryCodes
    const typed = recoveryCode.toLowerCase().replace('-', ' ')
    expect((await kit.callWithMfa('/users/me', update, { recoveryCode: typed })).status).toBe(200)
    expect((await kit.callWithMfa('/users/me', update, { recoveryCode })).body.code).toBe('mfa_invalid_code')
    expect((await kit.call('/users/me')).body.mfa.recoveryCodes).toBe(9)
  })

  it('renewing recovery codes invalidates the old codes', async () => {
    const { kit, device, secret, recoveryCodes } = await enrolTotp('renew@example.com')
    const renew = { method: 'POST' }
    const renewed = await kit.callWithMfa('/mfa/recovery-codes', renew, { code: nextTotp(secret) }, device.id)
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    const old = await kit.callWithMfa('/users/me', update, { recoveryCode: recoveryCodes[1] })
    expect(old.body.code).toBe('mfa_invalid_code')
    const [recoveryCode] = renewed.body.recoveryCodes
    expect((await kit.callWithMfa('/users/me', update, { recoveryCode })).status).toBe(200)
  })
})

describe('other devices', () => {
  it('an emailed code works as a second factor', async () => {
    const kit = world.kit()
    await kit.signInByEmail('mail@example.com')
    const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'email' } })).body
    const code = world.getCode(await world.mailTo('mail@example.com'))
    const confirm = { challengeId: challenge.challengeId, code }
    expect((await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).status).toBe(200)
    const { action, requestHash } = (await rename(kit)).body.details
    const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId: device.id } })
    const second = world.getCode(await world.mailTo('mail@example.com'))
    const proved = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, { body: { code: second } })
    expect((await rename(kit, { 'x-keybay-mfa-token': proved.body.mfaToken })).status).toBe(200)
  })

  it('by passkey', async () => {
    const kit = world.kit()
    await kit.signInByEmail('key@example.com')
    const missing = await kit.call('/mfa/devices', { body: { method: 'passkey' } })
    expect(missing).toMatchObject({ status: 404, body: { code: 'mfa_device_not_found' } })
    const authenticator = newAuthenticator()
    const made = (await kit.call('/users/me/passkeys/options', { method: 'POST' })).body
    const response = authenticator.create(made.options)
    await kit.call('/users/me/passkeys', { body: { challengeId: made.challengeId, response } })
    const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'passkey' } })).body
    expect(challenge.options.allowCredentials).toMatchObject([{ id: authenticator.id }])
    const confirm = { challengeId: challenge.challengeId, passkey: authenticator.get(challenge.options) }
    expect((await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).status).toBe(200)
    const { action, requestHash } = (await rename(kit)).body.details
    const begun = (await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId: device.id } })).body
    const answer = (passkey: object) => kit.call(`/mfa/challenges/${begun.challengeId}`, { body: { passkey } })
    expect((await answer(newAuthenticator().get(begun.options))).body.code).toBe('invalid_passkey')
    const { mfaToken } = (await answer(authenticator.get(begun.options))).body
    expect((await rename(kit, { 'x-keybay-mfa-token': mfaToken })).status).toBe(200)
  })

  it('an unknown second factor device fails with mfa_device_not_found', async () => {
    const { kit } = await enrolTotp('unknown@example.com')
    const deviceId = '00000000-0000-4000-8000-000000000000'
    const scope = { action: 'wallet.waas.sign', requestHash: sha256('x'), deviceId }
    const begun = await kit.call('/mfa/challenges', { body: scope })
    expect(begun).toMatchObject({ status: 404, body: { code: 'mfa_device_not_found' } })
  })

  it('removing a device requires a second factor, and removing the last device deletes the recovery codes', async () => {
    const { kit, device, secret } = await enrolTotp('remove@example.com')
    const path = `/mfa/devices/${device.id}`
    expect((await kit.call(path, { method: 'DELETE' })).body.code).toBe('mfa_required')
    const removed = await kit.callWithMfa(path, { method: 'DELETE' }, { code: nextTotp(secret) }, device.id)
    expect(removed.status).toBe(204)
    expect((await kit.call('/users/me')).body.mfa).toEqual({ devices: [], recoveryCodes: 0 })
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
    const mine = await enrolTotp('own@example.com')
    const [asTarget, asSelf] = sharing()
    const target = (await asTarget.signInByEmail('target@example.com')).body
    const own = (await asSelf.signInByEmail('own@example.com')).body
    const begin = { pendingId: own.pendingId, deviceId: mine.device.id }
    const { challengeId } = (await asSelf.call('/auth/mfa/challenge', { body: begin })).body
    const finish = { pendingId: target.pendingId, challengeId, code: nextTotp(mine.secret) }
    expect(await asTarget.call('/auth/mfa', { body: finish })).toMatchObject({
      status: 401,
      body: { code: 'mfa_invalid_code' },
    })
    const other = { pendingId: target.pendingId, deviceId: mine.device.id }
    expect((await asTarget.call('/auth/mfa/challenge', { body: other })).body.code).toBe('mfa_device_not_found')
  })

  it('a challenge makes no MFA token in another session, and a sign-in challenge makes none at all', async () => {
    const { device, recoveryCodes } = await enrolTotp('sessions@example.com')
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
    const signingIn = (await second.call('/auth/mfa/challenge', { body: { pendingId, deviceId: device.id } })).body
    const asToken = { body: { recoveryCode: recoveryCodes[3] } }
    expect((await second.call(`/mfa/challenges/${signingIn.challengeId}`, asToken)).body.code).toBe('mfa_invalid_code')
  })

  it('a challenge of another device does not confirm a device', async () => {
    const [first, second] = sharing()
    await first.signInByEmail('confirm-a@example.com')
    await second.signInByEmail('confirm-b@example.com')
    const a = (await first.call('/mfa/devices', { body: { method: 'totp' } })).body
    const b = (await second.call('/mfa/devices', { body: { method: 'totp' } })).body
    const confirm = { challengeId: b.challenge.challengeId, code: totp(b.totp.secret) }
    expect((await first.call(`/mfa/devices/${a.device.id}/confirm`, { body: confirm })).body.code).toBe(
      'mfa_invalid_code',
    )
    expect((await first.call('/mfa/devices')).body.devices).toEqual([])
  })

  it('refuses another user’s passkey as a second factor', async () => {
    const withPasskey = async (email: string) => {
      const kit = world.kit()
      await kit.signInByEmail(email)
      const authenticator = newAuthenticator()
      const made = (await kit.call('/users/me/passkeys/options', { method: 'POST' })).body
      const body = { challengeId: made.challengeId, response: authenticator.create(made.options) }
      expect((await kit.call('/users/me/passkeys', { body })).status).toBe(201)
      return { kit, authenticator }
    }
    const [mine, theirs] = [await withPasskey('mine@example.com'), await withPasskey('theirs@example.com')]
    const { device, challenge } = (await mine.kit.call('/mfa/devices', { body: { method: 'passkey' } })).body
    const confirm = (passkey: object) =>
      mine.kit.call(`/mfa/devices/${device.id}/confirm`, { body: { challengeId: challenge.challengeId, passkey } })
    expect((await confirm(theirs.authenticator.get(challenge.options))).body.code).toBe('invalid_passkey')
    expect((await confirm(mine.authenticator.get(challenge.options))).status).toBe(200)
  })
})

it('refuses to unlink a credential that is a second factor, because the user could no longer prove it', async () => {
  const kit = world.kit()
  await kit.signInByEmail('factor@example.com')
  const phone = '/users/me/credentials/phone'
  const { verificationId } = (await kit.call(phone, { body: { phoneNumber: '+491700000091' } })).body
  const code = world.getCode(await world.smsTo('+491700000091'))
  expect((await kit.call(`${phone}/verify`, { body: { verificationId, code } })).status).toBe(201)
  const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'email' } })).body
  const confirm = { challengeId: challenge.challengeId, code: world.getCode(await world.mailTo('factor@example.com')) }
  const confirmed = await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })
  const [first, second, third] = confirmed.body.recoveryCodes
  const { credentials } = (await kit.call('/users/me')).body
  const getId = (method: string) =>
    credentials.find((credential: { method: string }) => credential.method === method).id
  const remove = { method: 'DELETE' }
  const path = `/users/me/credentials/${getId('email')}`
  const refused = await kit.callWithMfa(path, remove, { recoveryCode: first })
  expect(refused).toMatchObject({ status: 409, body: { code: 'credential_is_factor' } })
  // The other code removes the factor, which frees the address.
  const gone = await kit.callWithMfa(`/mfa/devices/${device.id}`, remove, { recoveryCode: second })
  expect(gone.status).toBe(204)
  expect(third).toBeDefined()
  expect((await kit.call(path, remove)).status).toBe(204)
})

it('a user with a second factor is not merged away by control of the mailbox alone', async () => {
  await enrolTotp('victim@example.com')
  const thief = world.kit()
  await thief.signInByEmail('thief@example.com')
  const path = '/users/me/credentials/email'
  const { verificationId } = (await thief.call(path, { body: { email: 'victim@example.com' } })).body
  const code = world.getCode(await world.mailTo('victim@example.com'))
  const linked = await thief.call(`${path}/verify`, { body: { verificationId, code } })
  expect(linked.body).toMatchObject({ code: 'merge_accounts_invalid', details: { reason: 'mfa' } })
})

it('[S6.3] the acting service redeems an MFA token for a wallet action once', async () => {
  const { kit, device, secret } = await enrolTotp('wallet@example.com')
  const operator = { token: world.api.operatorToken, proof: false } as const
  const { token } = (await kit.call('/api-tokens', { ...operator, body: { name: 'relay' } })).body
  const scope = { action: 'wallet.waas.export', requestHash: sha256('export this') }
  const begun = await kit.call('/mfa/challenges', { body: { ...scope, deviceId: device.id } })
  const answered = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, { body: { code: nextTotp(secret) } })
  const { mfaToken } = answered.body
  const redeem = (more: object) =>
    kit.call('/mfa/tokens/redeem', { token, proof: false, body: { ...scope, mfaToken, ...more } })
  expect((await redeem({ action: 'wallet.waas.sign' })).body.code).toBe('mfa_required')
  expect((await redeem({ requestHash: sha256('export that') })).body.code).toBe('mfa_required')
  const answers = await Promise.all([redeem({}), redeem({})])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
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
