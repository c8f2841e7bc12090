/** Second factors: enrolled, demanded, answered, lost. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hotp } from '../src/mfa/totp.js'
import { newAuthenticator } from './authenticator.js'
import { type Kit, sha256, startWorld, type World } from './client.js'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** RFC 6238 anew, over a base32 secret. */
const totp = (secret: string): string => {
  const bits = [...secret].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(world.api.clock.now() / 30_000), 4)
  const hash = createHmac('sha1', key).update(counter).digest()
  const at = (hash[19] ?? 0) & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
/** The next code: each serves once. */
const nextTotp = (secret: string): string => {
  world.api.clock.advance(30_000)
  return totp(secret)
}

const enrolTotp = async (email: string) => {
  const kit = world.kit()
  await kit.signInByEmail(email)
  const { body } = await kit.call('/mfa/devices', { body: { method: 'totp', name: 'Phone' } })
  const { device, challenge, totp: made } = body
  const confirm = { challengeId: challenge.challengeId, code: totp(made.secret) }
  const confirmed = await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })
  return { kit, device, secret: made.secret as string, uri: made.uri, recoveryCodes: confirmed.body.recoveryCodes }
}
const rename = (kit: Kit, headers = {}) =>
  kit.call('/users/me', { method: 'PATCH', body: { metadata: { changed: true } }, headers })
const update = { method: 'PATCH', body: { metadata: { changed: true } } }

describe('RFC 6238', () => {
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('appendix B at %d s is %s', (seconds, code) => {
    expect(hotp(Buffer.from('12345678901234567890'), Math.floor(seconds / 30), 8)).toBe(code)
  })
})

describe('totp', () => {
  it('[S6.3] is demanded to change the user, and its token serves once, for this request only', async () => {
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

  it('takes each code once, and no wrong one: mfa_invalid_code', async () => {
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

  it('has five tries: too_many_verification_attempts', async () => {
    const { kit, device } = await enrolTotp('five@example.com')
    const scope = { action: 'user.update', requestHash: sha256('x'), deviceId: device.id }
    const { body } = await kit.call('/mfa/challenges', { body: scope })
    const answer = () => kit.call(`/mfa/challenges/${body.challengeId}`, { body: { code: 'wrong' } })
    for (let tried = 0; tried < 5; tried++) expect((await answer()).status).toBe(401)
    expect(await answer()).toMatchObject({ status: 429, body: { code: 'too_many_verification_attempts' } })
  })

  it('is demanded to sign in', async () => {
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

  it('that is not confirmed counts for nothing', async () => {
    const kit = world.kit()
    await kit.signInByEmail('unconfirmed@example.com')
    await kit.call('/mfa/devices', { body: { method: 'totp' } })
    expect((await kit.call('/mfa/devices')).body.devices).toEqual([])
    expect((await rename(kit)).status).toBe(200)
  })
})

describe('recovery codes', () => {
  it('stand in for a device, once each', async () => {
    const { kit, recoveryCodes } = await enrolTotp('recovery@example.com')
    expect(new Set(recoveryCodes).size).toBe(10)
    const [recoveryCode] = recoveryCodes
    const typed = recoveryCode.toLowerCase().replace('-', ' ')
    expect((await kit.callWithMfa('/users/me', update, { recoveryCode: typed })).status).toBe(200)
    expect((await kit.callWithMfa('/users/me', update, { recoveryCode })).body.code).toBe('mfa_invalid_code')
    expect((await kit.call('/users/me')).body.mfa.recoveryCodes).toBe(9)
  })

  it('are renewed, and the old ones end', async () => {
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
  it('by mail', async () => {
    const kit = world.kit()
    await kit.signInByEmail('mail@example.com')
    const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'email' } })).body
    const code = world.codeOf(await world.mailTo('mail@example.com'))
    const confirm = { challengeId: challenge.challengeId, code }
    expect((await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).status).toBe(200)
    const { action, requestHash } = (await rename(kit)).body.details
    const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId: device.id } })
    const second = world.codeOf(await world.mailTo('mail@example.com'))
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

  it('that are unknown are mfa_device_not_found', async () => {
    const { kit } = await enrolTotp('unknown@example.com')
    const deviceId = '00000000-0000-4000-8000-000000000000'
    const scope = { action: 'wallet.waas.sign', requestHash: sha256('x'), deviceId }
    const begun = await kit.call('/mfa/challenges', { body: scope })
    expect(begun).toMatchObject({ status: 404, body: { code: 'mfa_device_not_found' } })
  })

  it('are removed with a second factor, and the recovery codes with the last', async () => {
    const { kit, device, secret } = await enrolTotp('remove@example.com')
    const path = `/mfa/devices/${device.id}`
    expect((await kit.call(path, { method: 'DELETE' })).body.code).toBe('mfa_required')
    const removed = await kit.callWithMfa(path, { method: 'DELETE' }, { code: nextTotp(secret) }, device.id)
    expect(removed.status).toBe(204)
    expect((await kit.call('/users/me')).body.mfa).toEqual({ devices: [], recoveryCodes: 0 })
  })
})

it('a user with a second factor is not merged away by who holds the mailbox alone', async () => {
  await enrolTotp('victim@example.com')
  const thief = world.kit()
  await thief.signInByEmail('thief@example.com')
  const path = '/users/me/credentials/email'
  const { verificationId } = (await thief.call(path, { body: { email: 'victim@example.com' } })).body
  const code = world.codeOf(await world.mailTo('victim@example.com'))
  const linked = await thief.call(`${path}/verify`, { body: { verificationId, code } })
  expect(linked.body).toMatchObject({ code: 'merge_accounts_invalid', details: { reason: 'mfa' } })
})

it('[S6.3] a token for a wallet’s action is redeemed once by the service that acts', async () => {
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
})
