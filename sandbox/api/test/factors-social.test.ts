/** Plays a thief of a mailbox who also signs in by a social account that has the address of that mailbox. */
import { afterAll, expect, it } from 'vitest'
import { type Kit, refused } from './client.js'
import { socialSettings, startSocialWorld } from './social-world.js'

const world = await startSocialWorld({
  environments: { local: socialSettings, single: { ...socialSettings, mfa: { atSignIn: false } } },
})
afterAll(world.stop)

/** Enrols an email factor, whose code arrives at `email`. */
async function enrolEmail(kit: Kit, email: string, environmentId = 'local'): Promise<string> {
  const { device, challenge } = (await kit.call('/mfa/devices', { body: { method: 'email' }, environmentId })).body
  const body = { challengeId: challenge.challengeId, code: await world.codeTo(email) }
  expect((await kit.call(`/mfa/devices/${device.id}/confirm`, { body, environmentId })).status).toBe(200)
  return device.id
}

it('a mailbox is no second factor after a sign-in by Google with its address', async () => {
  const owner = await world.signedIn('ann@people.example')
  expect((await world.linkAs(owner, 'google')).status).toBe(201)
  await owner.link('+491700000501')
  const deviceId = await enrolEmail(owner, 'ann@people.example')
  const thief = world.kit()
  const { body: pending } = await world.signIn(thief, 'google')
  expect(pending).toMatchObject({ status: 'mfa-required', devices: [] })
  const challenge = thief.call('/auth/mfa/challenge', { body: { pendingId: pending.pendingId, deviceId } })
  await refused(challenge, 404, 'mfa_device_not_found', { reason: 'first-factor' })
})

it('a mailbox changes no account after a sign-in by Google with its address, without a factor at sign-in', async () => {
  const options = { environmentId: 'single' }
  const owner = await world.signedIn('cleo@people.example', 'single')
  expect((await world.linkAs(owner, 'google', 'cleo', options)).status).toBe(201)
  await owner.link('+491700000502', 'single')
  const deviceId = await enrolEmail(owner, 'cleo@people.example', 'single')
  const thief = world.kit()
  await world.signIn(thief, 'google', 'cleo', options)
  const demanded = await thief.call('/users/me', { method: 'PATCH', body: { metadata: {} }, ...options })
  await refused(demanded, 403, 'mfa_required', { devices: [] })
  const { action, requestHash } = demanded.body.details
  const challenge = thief.call('/mfa/challenges', { body: { action, requestHash, deviceId }, ...options })
  await refused(challenge, 404, 'mfa_device_not_found', { reason: 'first-factor' })
})

it('a mailbox is a second factor after a sign-in by Google with another address, or one that is not verified', async () => {
  for (const [email, user] of [
    ['other-box@example.com', 'mallory'],
    ['ben@people.example', 'ben'],
  ] as const) {
    const owner = await world.signedIn(email)
    expect((await world.linkAs(owner, 'google', user)).status).toBe(201)
    const id = await enrolEmail(owner, email)
    const { body: pending } = await world.signIn(world.kit(), 'google', user)
    expect(pending).toMatchObject({ status: 'mfa-required', devices: [{ id }] })
  }
})
