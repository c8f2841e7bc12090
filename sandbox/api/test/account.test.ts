/** Tests changing, linking, merging, unlinking and deleting users, and what an environment requires first. */
import { afterAll, describe, expect, it } from 'vitest'
import { createKit, getStatuses, type Kit, newKey, refused, settings, startWorld } from './client.js'

const world = await startWorld({
  environments: {
    local: settings,
    strict: { ...settings, required: { email: true, phone: true } },
    separate: { ...settings, merge: false },
    closed: { ...settings, signIn: { email: false, phone: false, wallet: false, passkey: false } },
  },
})
afterAll(world.stop)

const DELETE = { method: 'DELETE' }

async function beginMerge(first: string, second: string) {
  const [ann, bob] = [await world.signedIn(first), await world.signedIn(second)]
  const { mergeId } = (await ann.link(second)).body.details
  const merge = (kit: Kit = ann) => kit.call('/users/me/merge', { body: { mergeId } })
  return { ann, bob, merge }
}

it('refuses a user name that another user has: username_already_exists', async () => {
  const [ann, bob] = [await world.signedIn('ann@example.com'), await world.signedIn('bob@example.com')]
  const rename = (kit: Kit, username: string | null) => kit.call('/users/me', { method: 'PATCH', body: { username } })
  expect((await rename(ann, 'Ann')).body.username).toBe('Ann')
  await refused(rename(bob, 'ann'), 409, 'username_already_exists')
  expect((await rename(ann, 'Ann')).status).toBe(200)
  expect(getStatuses(await Promise.all([rename(ann, 'same'), rename(bob, 'SAME')]))).toEqual([200, 409])
  expect((await rename(ann, null)).body.username).toBeNull()
})

describe('linking', () => {
  it('links and unlinks a sign-in method, but never unlinks the last method', async () => {
    const kit = await world.signedIn('link@example.com')
    expect(await kit.link('+491700000001')).toMatchObject({
      status: 201,
      body: { step: 'done', credential: { phoneNumber: '+491700000001' } },
    })
    const [first, second] = (await kit.call('/users/me')).body.credentials
    expect((await kit.call(`/users/me/credentials/${first.id}`, DELETE)).status).toBe(204)
    await refused(kit.call(`/users/me/credentials/${second.id}`, DELETE), 409, 'last_credential')
    expect(await kit.call(`/users/me/credentials/${first.id}`, DELETE)).toMatchObject({ status: 404 })
  })
  it('keeps one sign-in method when both are unlinked at once', async () => {
    const kit = await world.signedIn('both@example.com')
    await kit.link('+491700000002')
    const { credentials } = (await kit.call('/users/me')).body
    const unlink = ({ id }: { id: string }) => kit.call(`/users/me/credentials/${id}`, DELETE)
    expect(getStatuses(await Promise.all(credentials.map(unlink)))).toEqual([204, 409])
  })
  it('linking refuses a code that was sent to sign in, or sent to another user', async () => {
    const kit = await world.signedIn('purpose@example.com')
    const body = await kit.sendCode('/auth', 'victim@example.com')
    const verify = kit.call('/users/me/credentials/email/verify', { body })
    await refused(verify, 401, 'wrong_email_verification_token')
  })
  it('a user cannot rename or unlink another user’s credentials, or rename an email', async () => {
    const [ann, bob] = [await world.signedIn('reach-a@example.com'), await world.signedIn('reach-b@example.com')]
    const [{ id }] = (await bob.call('/users/me')).body.credentials
    for (const options of [DELETE, { method: 'PATCH', body: { name: 'x' } }])
      expect((await ann.call(`/users/me/credentials/${id}`, options)).status).toBe(404)
    const renaming = bob.call(`/users/me/credentials/${id}`, { method: 'PATCH', body: { name: 'x' } })
    await refused(renaming, 404, 'credential_not_found')
  })
})

describe('merging', () => {
  it('[S11.2] refuses a merge while one of the two accounts awaits deletion', async () => {
    const { ann, bob, merge } = await beginMerge('leaving-a@example.com', 'leaving-b@example.com')
    await bob.call('/users/me', DELETE)
    const deletion = [409, 'merge_accounts_invalid', { reason: 'deletion' }] as const
    await refused(merge(), ...deletion)
    await refused(ann.link('leaving-b@example.com'), ...deletion)
    // A user that is being deleted cannot absorb another user either.
    await world.signedIn('leaving-c@example.com')
    await bob.signInByEmail('leaving-b@example.com')
    await refused(bob.link('leaving-c@example.com'), ...deletion)
    await bob.call('/users/me/restore', { method: 'POST' })
    expect((await bob.link('leaving-c@example.com')).body.code).toBe('merge_accounts_confirmation')
  })
  it('the email and the SMS announce the merge, so that no user confirms it by accident', async () => {
    const [ann, bob] = [await world.signedIn('told-a@example.com'), await world.signedIn('told-b@example.com')]
    expect((await world.mailTo('told-b@example.com')).text).toMatch(/is your code to sign in to Acme/)
    await bob.link('+491700000031')
    expect((await world.smsTo('+491700000031')).text).toMatch(/to add this phone number to an account at Acme/)
    await ann.call('/users/me/credentials/email', { body: { email: 'told-new@example.com' } })
    expect((await world.mailTo('told-new@example.com')).text).toMatch(/to add this email address to an account at Acme/)
    const announced = /merges that account into another one.*ignore this message/s
    await ann.link('told-b@example.com')
    expect((await world.mailAbout('Merge your accounts at Acme', 'told-b@example.com')).text).toMatch(announced)
    await ann.link('+491700000031')
    expect((await world.smsTo('+491700000031')).text).toMatch(announced)
  })
  it('[S11.1] linking another user’s credential offers a merge that moves everything: merge_accounts_confirmation', async () => {
    const [ann, bob] = [await world.signedIn('merge-a@example.com'), await world.signedIn('merge-b@example.com')]
    await bob.link('+491700000003')
    const offered = await ann.link('merge-b@example.com')
    await refused(offered, 409, 'merge_accounts_confirmation')
    const merge = (kit: Kit) => kit.call('/users/me/merge', { body: { mergeId: offered.body.details.mergeId } })
    await refused(merge(bob), 409, 'merge_accounts_invalid')
    const merged = (await merge(ann)).body
    expect(merged.step).toBe('verified-and-transferred')
    const subjects = merged.user.credentials.map(
      (credential: Record<string, string>) => credential.email ?? credential.phoneNumber,
    )
    expect(subjects.sort()).toEqual(['+491700000003', 'merge-a@example.com', 'merge-b@example.com'])
    expect((await bob.call('/users/me')).status).toBe(401)
    expect((await world.kit().signInByEmail('merge-b@example.com')).body.user.id).toBe(merged.user.id)
    await refused(merge(ann), 409, 'merge_accounts_invalid')
  })
  it('[S11.2] refuses a merge when the other user unlinked the credential or was deleted: merge_accounts_invalid', async () => {
    const deleted = await beginMerge('gone-a@example.com', 'gone-b@example.com')
    await deleted.bob.call('/users/me', DELETE)
    await refused(deleted.merge(), 409, 'merge_accounts_invalid')
    const { bob, merge } = await beginMerge('gone-a@example.com', 'gone-c@example.com')
    await bob.link('+491700000007')
    const { credentials } = (await bob.call('/users/me')).body
    const email = credentials.find((credential: { method: string }) => credential.method === 'email')
    expect((await bob.call(`/users/me/credentials/${email.id}`, DELETE)).status).toBe(204)
    await refused(merge(), 409, 'merge_accounts_invalid')
    expect((await bob.call('/users/me')).body.phoneNumber).toBe('+491700000007')
  })
  it('[S11.2] refuses a merge when the other user has since added a second factor', async () => {
    const { bob, merge } = await beginMerge('late-a@example.com', 'late-b@example.com')
    expect((await bob.enrolTotp()).recoveryCodes).toHaveLength(10)
    await refused(merge(), 409, 'merge_accounts_invalid', { reason: 'mfa' })
  })
  it('only the user who began a merge can confirm it, even with the same session key', async () => {
    await world.signedIn('merged-away@example.com')
    const key = newKey()
    const [begins, other] = [createKit(world, world.api, key), createKit(world, world.api, key)]
    await begins.signInByEmail('begins@example.com')
    await other.signInByEmail('confirms@example.com')
    const { mergeId } = (await begins.link('merged-away@example.com')).body.details
    await refused(other.call('/users/me/merge', { body: { mergeId } }), 409, 'merge_accounts_invalid')
  })
  it('does not offer a merge where the environment forbids it: email_already_exists', async () => {
    const ann = await world.signedIn('sep-a@example.com', 'separate')
    const bob = await world.signedIn('sep-b@example.com', 'separate')
    expect((await ann.link('sep-b@example.com', 'separate')).body.code).toBe('email_already_exists')
    await bob.link('+491700000004', 'separate')
    expect((await ann.link('+491700000004', 'separate')).body.code).toBe('merge_accounts_invalid')
  })
})

it('refuses other changes until the user has linked the email and phone number that the environment requires', async () => {
  const environmentId = 'strict'
  const kit = world.kit()
  const body = await kit.sendCode('/auth', '+491700000005', environmentId)
  const answer = kit.keep(await kit.call('/auth/phone/verify', { body, environmentId }))
  expect(answer.body.user.step).toBe('verify-email')
  const change = () => kit.call('/users/me', { method: 'PATCH', body: { metadata: {} }, environmentId })
  await refused(change(), 403, 'verification_required', { step: 'verify-email' })
  expect((await kit.link('strict@example.com', environmentId)).body.step).toBe('done')
  expect((await change()).status).toBe(200)
})

it('a user with a second factor can verify a required address', async () => {
  const environmentId = 'strict'
  const kit = await world.signedIn('second@example.com', environmentId)
  await kit.link('+491700000006', environmentId)
  const [first, second] = (await kit.enrolTotp(environmentId)).recoveryCodes
  const { credentials } = (await kit.call('/users/me', { environmentId })).body
  const email = credentials.find((credential: { method: string }) => credential.method === 'email')
  const unlink = { ...DELETE, environmentId }
  const unlinked = await kit.callWithMfa(`/users/me/credentials/${email.id}`, unlink, { recoveryCode: first })
  expect(unlinked.status).toBe(204)
  const below = '/users/me/credentials'
  const verify = { body: await kit.sendCode(below, 'third@example.com', environmentId), environmentId }
  const linked = await kit.callWithMfa(`${below}/email/verify`, verify, { recoveryCode: second })
  expect(linked).toMatchObject({ status: 201, body: { step: 'done' } })
})

it('refuses tokens and codes of another environment', async () => {
  const kit = await world.signedIn('env@example.com')
  expect((await kit.call('/users/me', { environmentId: 'strict' })).status).toBe(401)
  const body = await kit.sendCode('/auth', 'cross@example.com')
  const crossed = await kit.call('/auth/email/verify', { body, environmentId: 'separate' })
  expect(crossed.body.code).toBe('wrong_email_verification_token')
})

it.each([
  ['/auth/email', { email: 'a@example.com' }],
  ['/auth/phone', { phoneNumber: '+491700000006' }],
  ['/auth/passkey/options', undefined],
  ['/auth/external', { token: 'x' }],
])('refuses a sign-in method that the environment has not enabled: %s', async (path, body) => {
  const answer = world.kit().call(path, { method: 'POST', body, environmentId: 'closed' })
  await refused(answer, 403, 'method_not_enabled')
})

describe('a thief who signed in with a credential that the owner then unlinks', () => {
  it('loses every session that the credential started, and cannot renew one', async () => {
    const owner = await world.signedIn('kept@example.com')
    await owner.link('stolen-box@example.com')
    const thief = await world.signedIn('stolen-box@example.com')
    const { credentials } = (await owner.call('/users/me')).body
    const stolen = credentials.find(({ email }: { email: string }) => email === 'stolen-box@example.com')
    expect((await owner.call(`/users/me/credentials/${stolen.id}`, DELETE)).status).toBe(204)
    await refused(thief.call('/users/me'), 401, 'session_expired')
    await refused(thief.call('/users/me', { method: 'PATCH', body: { metadata: {} } }), 401, 'session_expired')
    const renew = { body: { refreshToken: thief.refresh }, token: '' }
    await refused(thief.call('/auth/refresh', renew), 401, 'session_expired')
    expect((await owner.call('/users/me')).body.email).toBe('kept@example.com')
  })
})
