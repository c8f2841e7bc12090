/** Tests that a blocked user can do nothing, by any way in, until the operator unblocks the user. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { afterAll, expect, it } from 'vitest'
import { type Answer, type Kit, refused, startWorld } from './client.js'

const CODE = 'blocked_user_cannot_transfer_wallet'
const world = await startWorld()
afterAll(world.stop)

function operate(action: 'block' | 'unblock', userId: string, token = world.api.operatorToken): Promise<Answer> {
  return world.kit().call(`/users/${userId}/${action}`, { method: 'POST', token, proof: false })
}
async function getId(kit: Kit): Promise<string> {
  return (await kit.call('/users/me')).body.id
}

it('a block ends every session, refuses the refresh token and every sign-in, and unblocking lifts it', async () => {
  const email = 'blocked@example.com'
  const kits = [await world.signedIn(email), await world.signedIn(email)]
  const [kit = world.kit()] = kits
  const authenticator = newAuthenticator()
  expect((await kit.addPasskey(authenticator)).status).toBe(201)
  const id = await getId(kit)
  const { status, body } = await operate('block', id)
  expect({ status, body }).toEqual({ status: 200, body: { blockedAt: expect.any(Number), pending: [] } })
  for (const { token, refresh, call } of kits) {
    await refused(call('/users/me', { token }), 401, 'session_expired')
    await refused(call('/auth/refresh', { body: { refreshToken: refresh }, token: '' }), 401, 'session_expired')
  }
  await refused(signIn(email), 403, CODE)
  const options = (await kit.call('/auth/passkey/options', { method: 'POST', token: '' })).body
  const response = authenticator.get(options.options)
  const byPasskey = { challengeId: options.challengeId, response }
  await refused(kit.call('/auth/passkey', { body: byPasskey, token: '' }), 403, CODE)
  expect((await operate('block', id)).body).toEqual(body)
  expect((await operate('unblock', id)).body).toEqual({ blockedAt: null, pending: [] })
  const again = await world.signedIn(email)
  const { events } = (await again.call('/users/me/security-log')).body
  expect(events.map(({ kind }: { kind: string }) => kind).slice(0, 2)).toEqual(['unblocked', 'blocked'])
  for (const { token, call } of kits) await refused(call('/users/me', { token }), 401, 'session_expired')
})

/** Returns the answer to a sign-in whose code is right. */
async function signIn(email: string): Promise<Answer> {
  const kit = world.kit()
  return kit.call('/auth/email/verify', { body: await kit.sendCode('/auth', email) })
}

it('a sign-in with a second factor that began before the block does not end in a session', async () => {
  const email = 'blocked-mfa@example.com'
  const kit = await world.signedIn(email)
  const { recoveryCodes } = await kit.enrolTotp()
  const id = await getId(kit)
  const late = world.kit()
  const pending = (await late.call('/auth/email/verify', { body: await late.sendCode('/auth', email) })).body
  expect(pending.status).toBe('mfa-required')
  const begun = (await late.call('/auth/mfa/challenge', { body: { pendingId: pending.pendingId } })).body
  await operate('block', id)
  const answer = { pendingId: pending.pendingId, challengeId: begun.challengeId, recoveryCode: recoveryCodes[0] }
  await refused(late.call('/auth/mfa', { body: answer }), 403, CODE)
})

it('a sign-in at the moment of a block ends without a session that works', async () => {
  for (let round = 0; round < 6; round++) {
    const email = `blocked-race${round}@example.com`
    const id = await getId(await world.signedIn(email))
    const kit = world.kit()
    const body = await kit.sendCode('/auth', email)
    const [signedIn] = await Promise.all([kit.call('/auth/email/verify', { body }), operate('block', id)])
    if (signedIn.status === 200)
      await refused(kit.call('/users/me', { token: signedIn.body.accessToken }), 401, 'session_expired')
    else await refused(signedIn, 403, CODE)
  }
})

it('a blocked user’s credentials cannot be moved to another account', async () => {
  const [victim, thief] = [await world.signedIn('blocked-a@example.com'), await world.signedIn('blocked-b@example.com')]
  const offered = await thief.link('blocked-a@example.com')
  const { mergeId } = offered.body.details
  await operate('block', await getId(victim))
  await refused(thief.call('/users/me/merge', { body: { mergeId } }), 403, CODE)
  await refused(thief.link('blocked-a@example.com'), 403, CODE)
})

it('only the operator blocks and unblocks, and only users of the environment', async () => {
  const kit = await world.signedIn('blocked-who@example.com')
  const id = await getId(kit)
  await refused(operate('block', id, kit.token), 401, 'unauthorized')
  await refused(operate('block', id, await world.apiToken()), 401, 'unauthorized')
  await refused(operate('block', 'a4b1c5e2-0000-4000-8000-000000000000'), 404, 'not_found')
  expect((await kit.call('/users/me')).status).toBe(200)
})
