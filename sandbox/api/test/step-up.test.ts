/** Plays a thief with a stolen session: what takes an account needs a recent sign-in or a second factor. */
import { randomUUID } from 'node:crypto'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { afterAll, describe, expect, it } from 'vitest'
import { routes } from '../src/app/routes.js'
import { STEP_UPS } from '../src/mfa/step-up.js'
import { type CallOptions, type Kit, refused, settings, startWorld } from './client.js'

const MINUTE = 60_000
const world = await startWorld({
  environments: {
    local: { ...settings, custody: { enabled: true } },
    lenient: { ...settings, mfa: { actions: ['wallet.waas.sign'] } },
  },
})
afterAll(world.stop)

/** Returns a session whose sign-in is `minutes` old, with an access token that is still valid. */
async function signedInAgo(email: string, minutes: number, environmentId = 'local'): Promise<Kit> {
  const kit = await world.signedIn(email, environmentId)
  world.api.clock.advance(minutes * MINUTE)
  const body = { refreshToken: kit.refresh }
  kit.keep(await kit.call('/auth/refresh', { body, token: '', environmentId }))
  return kit
}

async function reauthenticate(kit: Kit, email: string, sessionId: string) {
  const code = await kit.sendCode('/auth', email)
  return kit.call('/auth/email/verify', { body: { ...code, sessionId }, token: '' })
}

async function getSessionId(kit: Kit): Promise<string> {
  const { body } = await kit.call('/sessions')
  return body.sessions.find(({ current }: { current: boolean }) => current).id
}

function decodeJwt(token: string | undefined) {
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())
}

const id = randomUUID()
const ATTACKS: readonly (readonly [string, string, CallOptions])[] = [
  ['has a code sent to an address', '/users/me/credentials/email', { body: { email: 'thief@example.com' } }],
  ['links an address', '/users/me/credentials/email/verify', { body: { verificationId: id, code: '123456' } }],
  ['links a phone', '/users/me/credentials/phone/verify', { body: { verificationId: id, code: '123456' } }],
  ['links the host’s user', '/users/me/credentials/external', { body: { token: 'x' } }],
  ['unlinks a credential', `/users/me/credentials/${id}`, { method: 'DELETE' }],
  ['unlinks a social account', '/social/google', { method: 'DELETE' }],
  ['merges another account', '/users/me/merge', { body: { mergeId: id } }],
  ['deletes the account', '/users/me', { method: 'DELETE' }],
  ['adds the first factor', '/mfa/devices', { body: { method: 'totp' } }],
  ['removes a factor', `/mfa/devices/${id}`, { method: 'DELETE' }],
  ['renews the recovery codes', '/mfa/recovery-codes', { method: 'POST' }],
  ['ends the owner’s session', `/sessions/${id}`, { method: 'DELETE' }],
  ['signs the owner out everywhere', '/auth/sign-out-everywhere', { method: 'POST' }],
  ['ends the owner’s sessions', '/sessions', { method: 'DELETE' }],
  [
    'starts a recovery of the custody wallet',
    '/custody/recovery',
    { body: { targetPublicKey: `04${'0'.repeat(128)}` } },
  ],
]

describe('a session whose sign-in is 5 minutes and 1 second old', () => {
  it.each(ATTACKS)('%s: 403 reauthentication_required, even without a second factor', async (name, path, options) => {
    const kit = await signedInAgo(`${name.replace(/\W/g, '-')}@example.com`, 5 + 1 / 60)
    await refused(kit.call(path, options), 403, 'reauthentication_required', { maxAgeSeconds: 300, devices: [] })
  })
  it('adds a passkey: 403 reauthentication_required', async () => {
    const kit = await signedInAgo('passkey@example.com', 6)
    await refused(kit.addPasskey(newAuthenticator('http://app.localhost:4000')), 403, 'reauthentication_required')
  })
  it('may not use a renewed token as a recent sign-in', async () => {
    const kit = await signedInAgo('renewed@example.com', 6)
    const { auth_time, iat } = decodeJwt(kit.token)
    expect(iat - auth_time).toBeGreaterThanOrEqual(360)
    await refused(kit.call('/users/me', { method: 'DELETE' }), 403, 'reauthentication_required')
  })
})

describe('what needs no recent sign-in', () => {
  it('a sign-in of less than 5 minutes ago is recent', async () => {
    const kit = await signedInAgo('recent@example.com', 4.9)
    expect((await kit.call('/sessions', { method: 'DELETE' })).status).toBe(200)
  })
  it('a session can end itself', async () => {
    const kit = await signedInAgo('itself@example.com', 6)
    expect((await kit.call(`/sessions/${await getSessionId(kit)}`, { method: 'DELETE' })).status).toBe(204)
  })
})

describe('signing in again', () => {
  it('with a credential of the user lets the same session go on, and its next token names the time', async () => {
    const kit = await signedInAgo('again@example.com', 6)
    const sessionId = await getSessionId(kit)
    const answer = await reauthenticate(kit, 'again@example.com', sessionId)
    expect(answer.body).toEqual({ status: 'reauthenticated', authTime: expect.any(Number) })
    expect((await kit.call('/sessions', { method: 'DELETE' })).status).toBe(200)
    kit.keep(await kit.call('/auth/refresh', { body: { refreshToken: kit.refresh }, token: '' }))
    expect(decodeJwt(kit.token).auth_time).toBe(Math.floor(answer.body.authTime / 1000))
    expect(await getSessionId(kit)).toBe(sessionId)
  })
  it('with another user’s credential, or with an unknown one, is refused, and creates no user', async () => {
    const kit = await signedInAgo('mine@example.com', 6)
    const sessionId = await getSessionId(kit)
    await world.signedIn('other@example.com')
    await refused(reauthenticate(kit, 'other@example.com', sessionId), 404, 'credential_not_found')
    await refused(reauthenticate(kit, 'unknown@example.com', sessionId), 404, 'credential_not_found')
    expect((await world.signedIn('unknown@example.com')).token).toBeDefined()
    await refused(kit.call('/sessions', { method: 'DELETE' }), 403, 'reauthentication_required')
  })
  it('with the key of another session confirms nothing', async () => {
    const victim = await signedInAgo('victim@example.com', 6)
    const thief = await world.signedIn('thief@example.com')
    const sessionId = await getSessionId(victim)
    await refused(reauthenticate(thief, 'thief@example.com', sessionId), 401, 'session_expired')
    await refused(reauthenticate(thief, 'victim@example.com', sessionId), 401, 'session_expired')
    await refused(victim.call('/sessions', { method: 'DELETE' }), 403, 'reauthentication_required')
  })
  it('confirms no session that has ended', async () => {
    const kit = await signedInAgo('ended@example.com', 6)
    const sessionId = await getSessionId(kit)
    await kit.call('/auth/sign-out', { method: 'POST' })
    await refused(reauthenticate(kit, 'ended@example.com', sessionId), 401, 'session_expired')
  })
  it('of a user with a second factor needs both', async () => {
    const kit = await world.signedIn('both@example.com')
    const { deviceId, secret } = await kit.enrolTotp()
    await step(kit, 6)
    const sessionId = await getSessionId(kit)
    const { body: pending } = await reauthenticate(kit, 'both@example.com', sessionId)
    expect(pending).toMatchObject({ status: 'mfa-required' })
    await refused(kit.call('/sessions', { method: 'DELETE' }), 403, 'reauthentication_required')
    const { pendingId } = pending
    const { challengeId } = (await kit.call('/auth/mfa/challenge', { body: { pendingId, deviceId }, token: '' })).body
    const body = { pendingId, challengeId, code: world.nextTotp(secret) }
    expect((await kit.call('/auth/mfa', { body, token: '' })).body.status).toBe('reauthenticated')
    expect((await kit.call('/sessions', { method: 'DELETE' })).status).toBe(200)
  })
})

it('a second factor replaces the recent sign-in, also where the environment demands none', async () => {
  const kit = await world.signedIn('factor@example.com', 'lenient')
  const { deviceId, secret } = await kit.enrolTotp('lenient')
  await step(kit, 6, 'lenient')
  const options = { method: 'POST', environmentId: 'lenient' }
  const demanded = await kit.call('/mfa/recovery-codes', options)
  await refused(demanded, 403, 'reauthentication_required', { action: 'user.update', devices: [{ id: deviceId }] })
  const code = world.nextTotp(secret)
  expect((await kit.callWithMfa('/mfa/recovery-codes', options, { code }, deviceId)).status).toBe(201)
})

async function step(kit: Kit, minutes: number, environmentId = 'local') {
  world.api.clock.advance(minutes * MINUTE)
  const body = { refreshToken: kit.refresh }
  kit.keep(await kit.call('/auth/refresh', { body, token: '', environmentId }))
}

/** Changes that a session alone may make, with the reason. */
const WITHOUT_STEP_UP: Readonly<Record<string, string>> = {
  'POST /auth/frame-token': 'gives a token with the rights of the session',
  'POST /auth/sign-out': 'ends this session only',
  'PATCH /users/me': 'changes a name or metadata',
  'POST /users/me/restore': 'undoes a deletion',
  'POST /users/me/passkeys/options': 'begins a ceremony; the step-up comes at its end',
  'PATCH /users/me/credentials/{id}': 'changes a name',
  'POST /mfa/devices/{id}/confirm': 'ends an enrolment that began with a step-up',
  'POST /mfa/challenges': 'begins a second factor',
  'POST /mfa/challenges/{id}': 'proves a second factor',
  'POST /mfa/frame': 'begins a second factor',
  'POST /mfa/frame/{id}/challenges': 'begins a second factor',
  'POST /mfa/frame/{id}/answer': 'proves a second factor',
  'POST /mfa/frame/{id}/passkeys/options': 'needs a second factor',
  'POST /mfa/frame/{id}/passkeys': 'needs a second factor',
  'POST /mfa/frame-passkeys/{id}/confirm': 'needs a second factor',
  'POST /frame-keys': 'asks for it itself, for a new key: backup-attacks.test.ts',
  'POST /frame-keys/presence': 'asks for it itself: backup-attacks.test.ts',
  'POST /backups/{walletId}': 'needs a registered frame key; adds a copy and changes none',
  'DELETE /backups/{walletId}/{backupId}': 'asks for more itself: backup-attacks.test.ts',
  'POST /backups/{walletId}/{backupId}/restore': 'asks for it itself: backup-attacks.test.ts',
  'POST /solana/optimize': 'pays only within the operator’s sponsorship policy',
  'POST /custody/approvals': 'depends on the activity that waits',
}

it('each change that a session may make needs a step-up, or says here why it needs none', () => {
  const changes = routes
    .filter(({ access, method }) => ['session', 'frame', 'frame-key'].includes(access) && method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`)
  const listed = [...Object.keys(STEP_UPS).filter(name => !name.startsWith('GET ')), ...Object.keys(WITHOUT_STEP_UP)]
  expect(listed.sort()).toEqual(changes.sort())
})
