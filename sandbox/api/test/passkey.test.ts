/** Tests passkeys: created with an existing or a new account, used, named, removed. */

import { type Authenticator, newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { afterAll, describe, expect, it } from 'vitest'
import { type Kit, refused, startWorld } from './client.js'

const world = await startWorld()
afterAll(world.stop)

async function signIn(kit: Kit, authenticator: Authenticator, origin?: string) {
  const { body } = await kit.call('/auth/passkey/options', { method: 'POST' })
  const response = authenticator.get(body.options, origin)
  return kit.keep(await kit.call('/auth/passkey', { body: { challengeId: body.challengeId, response } }))
}

async function withPasskey(email: string) {
  const kit = await world.signedIn(email)
  const authenticator = newAuthenticator()
  const { body } = await kit.addPasskey(authenticator, 'Laptop')
  return { kit, authenticator, credential: body.credential }
}
const REFUSED = [401, 'invalid_passkey'] as const

describe('a passkey', () => {
  it('a passkey created by a signed-in user signs in later', async () => {
    const { kit, authenticator, credential } = await withPasskey('passkey@example.com')
    expect(credential).toMatchObject({ method: 'passkey', name: 'Laptop', passkeyId: authenticator.id })
    const { body } = await signIn(world.kit(), authenticator)
    expect(body).toMatchObject({ status: 'authenticated', isNewUser: false })
    expect(body.user.id).toBe((await kit.call('/users/me')).body.id)
  })
  it('a passkey signs up a new user', async () => {
    const kit = world.kit()
    const authenticator = newAuthenticator()
    const { body } = await kit.call('/auth/passkey/sign-up/options', { body: { userName: 'Ann' } })
    const response = authenticator.create(body.options)
    const signUp = { challengeId: body.challengeId, response }
    const answer = await kit.call('/auth/passkey/sign-up', { body: signUp })
    expect(answer.body).toMatchObject({ status: 'authenticated', isNewUser: true })
    expect((await kit.call('/auth/passkey/sign-up', { body: signUp })).status).toBe(401)
    expect((await signIn(world.kit(), authenticator)).body.user.id).toBe(answer.body.user.id)
  })
  it('[S9.3] requests a passkey with the parameters of the specification', async () => {
    const kit = await world.signedIn('options@example.com')
    const { options } = (await kit.call('/users/me/passkeys/options', { method: 'POST' })).body
    expect(options.pubKeyCredParams).toEqual([{ alg: -7, type: 'public-key' }])
    expect(options.authenticatorSelection).toMatchObject({ residentKey: 'preferred', userVerification: 'discouraged' })
    for (const random of [options.challenge, options.user.id]) expect(Buffer.from(random, 'base64url')).toHaveLength(32)
    const request = (await kit.call('/auth/passkey/options', { method: 'POST' })).body.options
    expect(request).toMatchObject({ userVerification: 'discouraged', rpId: 'app.localhost' })
    expect(request.allowCredentials ?? []).toEqual([])
  })
  it('a passkey can be renamed and removed, and a removed passkey does not sign in', async () => {
    const { kit, authenticator, credential } = await withPasskey('rename@example.com')
    const path = `/users/me/credentials/${credential.id}`
    expect((await kit.call(path, { method: 'PATCH', body: { name: ' Phone ' } })).body.name).toBe('Phone')
    expect((await kit.call('/users/me')).body.credentials).toContainEqual(expect.objectContaining({ name: 'Phone' }))
    expect((await kit.call(path, { method: 'DELETE' })).status).toBe(204)
    await refused(signIn(world.kit(), authenticator), ...REFUSED)
    expect((await kit.call(path, { method: 'DELETE' })).body.code).toBe('credential_not_found')
  })
  it('refuses an unknown passkey, another origin, and a reused challenge or counter', async () => {
    const { authenticator } = await withPasskey('hostile@example.com')
    await refused(signIn(world.kit(), authenticator, 'https://evil.example'), ...REFUSED)
    await refused(signIn(world.kit(), newAuthenticator()), ...REFUSED)
    const kit = world.kit()
    const { body } = await kit.call('/auth/passkey/options', { method: 'POST' })
    const use = { challengeId: body.challengeId, response: authenticator.get(body.options) }
    expect((await world.kit().call('/auth/passkey', { body: use })).status).toBe(401)
    expect((await kit.call('/auth/passkey', { body: use })).status).toBe(200)
    await refused(kit.call('/auth/passkey', { body: use }), ...REFUSED)
    authenticator.counter = 0
    await refused(signIn(world.kit(), authenticator), ...REFUSED)
  })
  it('refuses to register a passkey that a user already has, to link or to sign up', async () => {
    const { kit, authenticator } = await withPasskey('taken@example.com')
    await refused(kit.addPasskey(authenticator), 409, 'account_already_linked')
    const thief = await world.signedIn('passkey-thief@example.com')
    // "none" attestation does not prove the ID: the caller could have made it up.
    await refused(thief.addPasskey(authenticator), ...REFUSED)
    const { body } = await thief.call('/auth/passkey/sign-up/options', { body: {} })
    const response = authenticator.create(body.options)
    const signUp = { challengeId: body.challengeId, response }
    await refused(thief.call('/auth/passkey/sign-up', { body: signUp }), ...REFUSED)
  })
})
