/** Tests changing, linking, merging, unlinking and deleting users, and what an environment requires first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKit, type Kit, newKey, settings, startWorld, type World } from './client.js'
import { totpAt } from './totp.js'

let world: World
beforeAll(async () => {
  world = await startWorld({
    environments: {
      local: settings,
      strict: { ...settings, required: { email: true, phone: true } },
      separate: { ...settings, merge: false },
      closed: { ...settings, signIn: { email: false, phone: false, wallet: false, passkey: false } },
    },
  })
})
afterAll(() => world.stop())

async function signedIn(email: string): Promise<Kit> {
  const kit = world.kit()
  await kit.signInByEmail(email)
  return kit
}

async function linkEmail(kit: Kit, email: string, environmentId = 'local') {
  const path = '/users/me/credentials/email'
  const { body } = await kit.call(path, { body: { email }, environmentId })
  const code = world.getCode(await world.mailTo(email))
  return kit.call(`${path}/verify`, { body: { verificationId: body.verificationId, code }, environmentId })
}

async function linkPhone(kit: Kit, phoneNumber: string, environmentId = 'local') {
  const path = '/users/me/credentials/phone'
  const { body } = await kit.call(path, { body: { phoneNumber }, environmentId })
  const code = world.getCode(await world.smsTo(phoneNumber))
  return kit.call(`${path}/verify`, { body: { verificationId: body.verificationId, code }, environmentId })
}

describe('the user', () => {
  it('refuses a user name that another user has: username_already_exists', async () => {
    const [ann, bob] = [await signedIn('ann@example.com'), await signedIn('bob@example.com')]
    const rename = (kit: Kit, username: string | null) => kit.call('/users/me', { method: 'PATCH', body: { username } })
    expect((await rename(ann, 'Ann')).body.username).toBe('Ann')
    expect(await rename(bob, 'ann')).toMatchObject({ status: 409, body: { code: 'username_already_exists' } })
    expect((await rename(ann, 'Ann')).status).toBe(200)
    const both = await Promise.all([rename(ann, 'same'), rename(bob, 'SAME')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await rename(ann, null)).body.username).toBeNull()
  })

  it('a user has metadata up to a maximum size: metadata_size_exceeded', async () => {
    const kit = await signedIn('meta@example.com')
    const change = (metadata: object) => kit.call('/users/me', { method: 'PATCH', body: { metadata } })
    expect((await change({ theme: 'dark', list: [1, null] })).body.metadata).toEqual({ theme: 'dark', list: [1, null] })
    expect(await change({ large: 'x'.repeat(3000) })).toMatchObject({
      status: 400,
      body: { code: 'metadata_size_exceeded' },
    })
  })
})

describe('linking', () => {
  it('links and unlinks a sign-in method, but never unlinks the last method', async () => {
    const kit = await signedIn('link@example.com')
    const linked = await linkPhone(kit, '+491700000001')
    expect(linked).toMatchObject({ status: 201, body: { step: 'done', credential: { phoneNumber: '+491700000001' } } })
    const [first, second] = (await kit.call('/users/me')).body.credentials
    expect((await kit.call(`/users/me/credentials/${first.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await kit.call(`/users/me/credentials/${second.id}`, { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { code: 'last_credential' },
    })
    expect(await kit.call(`/users/me/credentials/${first.id}`, { method: 'DELETE' })).toMatchObject({ status: 404 })
  })

  it('keeps one sign-in method when both are unlinked at once', async () => {
    const kit = await signedIn('both@example.com')
    await linkPhone(kit, '+491700000002')
    const { credentials } = (await kit.call('/users/me')).body
    const answers = await Promise.all(
      credentials.map(({ id }: { id: string }) => kit.call(`/users/me/credentials/${id}`, { method: 'DELETE' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  it('refuses to link a credential that the user already has: account_already_linked', async () => {
    const kit = await signedIn('mine@example.com')
    expect(await linkEmail(kit, 'mine@example.com')).toMatchObject({
      status: 409,
      body: { code: 'account_already_linked' },
    })
  })

  it('linking refuses a code that was sent to sign in, or sent to another user', async () => {
    const kit = await signedIn('purpose@example.com')
    const sent = await kit.call('/auth/email', { body: { email: 'victim@example.com' } })
    const code = world.getCode(await world.mailTo('victim@example.com'))
    const { verificationId } = sent.body
    const verify = await kit.call('/users/me/credentials/email/verify', { body: { verificationId, code } })
    expect(verify).toMatchObject({ status: 401, body: { code: 'wrong_email_verification_token' } })
  })

  it('a user cannot rename or unlink another user’s credentials', async () => {
    const [ann, bob] = [await signedIn('reach-a@example.com'), await signedIn('reach-b@example.com')]
    const [{ id }] = (await bob.call('/users/me')).body.credentials
    for (const options of [{ method: 'DELETE' }, { method: 'PATCH', body: { name: 'x' } }])
      expect((await ann.call(`/users/me/credentials/${id}`, options)).status).toBe(404)
  })
})

describe('merging', () => {
  it('refuses a merge while one of the two accounts awaits deletion', async () => {
    const ann = await signedIn('leaving-a@example.com')
    const bob = await signedIn('leaving-b@example.com')
    const begun = (await linkEmail(ann, 'leaving-b@example.com')).body.details
    await bob.call('/users/me', { method: 'DELETE' })
    const refused = { status: 409, body: { code: 'merge_accounts_invalid', details: { reason: 'deletion' } } }
    expect(await ann.call('/users/me/merge', { body: { mergeId: begun.mergeId } })).toMatchObject(refused)
    expect(await linkEmail(ann, 'leaving-b@example.com')).toMatchObject(refused)
    // A user that is being deleted cannot absorb another user either.
    await signedIn('leaving-c@example.com')
    await bob.signInByEmail('leaving-b@example.com')
    expect(await linkEmail(bob, 'leaving-c@example.com')).toMatchObject(refused)
    await bob.call('/users/me/restore', { method: 'POST' })
    expect((await linkEmail(bob, 'leaving-c@example.com')).body.code).toBe('merge_accounts_confirmation')
  })

  it('the email and the SMS announce the merge, so that no user confirms it by accident', async () => {
    const ann = await signedIn('told-a@example.com')
    const bob = await signedIn('told-b@example.com')
    await linkPhone(bob, '+491700000031')
    expect((await world.mailTo('told-b@example.com')).text).toMatch(/is your code to sign in to Acme/)
    expect((await world.smsTo('+491700000031')).text).toMatch(/to add this phone number to an account at Acme/)
    await ann.call('/users/me/credentials/email', { body: { email: 'told-new@example.com' } })
    expect((await world.mailTo('told-new@example.com')).text).toMatch(/to add this email address to an account at Acme/)
    await linkEmail(ann, 'told-b@example.com')
    const mail = await world.mailTo('told-b@example.com')
    expect(mail.subject).toBe('Merge your accounts at Acme')
    expect(mail.text).toMatch(/merges that account into another one.*ignore this message/s)
    await linkPhone(ann, '+491700000031')
    expect((await world.smsTo('+491700000031')).text).toMatch(
      /merges that account into another one.*ignore this message/s,
    )
  })

  it('linking another user’s credential offers a merge that moves everything: merge_accounts_confirmation', async () => {
    const ann = await signedIn('merge-a@example.com')
    const bob = await signedIn('merge-b@example.com')
    await linkPhone(bob, '+491700000003')
    const asked = await linkEmail(ann, 'merge-b@example.com')
    expect(asked).toMatchObject({ status: 409, body: { code: 'merge_accounts_confirmation' } })
    const { mergeId } = asked.body.details
    expect((await bob.call('/users/me/merge', { body: { mergeId } })).body.code).toBe('merge_accounts_invalid')
    const merged = await ann.call('/users/me/merge', { body: { mergeId } })
    expect(merged.body.step).toBe('verified-and-transferred')
    const subjects = merged.body.user.credentials.map(
      (credential: Record<string, string>) => credential.email ?? credential.phoneNumber,
    )
    expect(subjects.sort()).toEqual(['+491700000003', 'merge-a@example.com', 'merge-b@example.com'])
    expect((await bob.call('/users/me')).status).toBe(401)
    const again = await world.kit().signInByEmail('merge-b@example.com')
    expect(again.body.user.id).toBe(merged.body.user.id)
    expect(await ann.call('/users/me/merge', { body: { mergeId } })).toMatchObject({
      status: 409,
      body: { code: 'merge_accounts_invalid' },
    })
  })

  it('refuses a merge when the other user unlinked the credential or was deleted: merge_accounts_invalid', async () => {
    const ann = await signedIn('gone-a@example.com')
    const bob = await signedIn('gone-b@example.com')
    const { mergeId } = (await linkEmail(ann, 'gone-b@example.com')).body.details
    await bob.call('/users/me', { method: 'DELETE' })
    expect((await ann.call('/users/me/merge', { body: { mergeId } })).body.code).toBe('merge_accounts_invalid')
    const carl = await signedIn('gone-c@example.com')
    const unlinked = (await linkEmail(ann, 'gone-c@example.com')).body.details
    await linkPhone(carl, '+491700000007')
    const { credentials } = (await carl.call('/users/me')).body
    const email = credentials.find((credential: { method: string }) => credential.method === 'email')
    expect((await carl.call(`/users/me/credentials/${email.id}`, { method: 'DELETE' })).status).toBe(204)
    const late = await ann.call('/users/me/merge', { body: { mergeId: unlinked.mergeId } })
    expect(late.body.code).toBe('merge_accounts_invalid')
    expect((await carl.call('/users/me')).body.phoneNumber).toBe('+491700000007')
  })

  it('refuses a merge when the other user has since added a second factor', async () => {
    const ann = await signedIn('late-a@example.com')
    const bob = await signedIn('late-b@example.com')
    const { mergeId } = (await linkEmail(ann, 'late-b@example.com')).body.details
    const { device, challenge, totp } = (await bob.call('/mfa/devices', { body: { method: 'totp' } })).body
    const confirm = { challengeId: challenge.challengeId, code: totpAt(totp.secret, world.api.clock.now()) }
    expect((await bob.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).status).toBe(200)
    expect(await ann.call('/users/me/merge', { body: { mergeId } })).toMatchObject({
      status: 409,
      body: { code: 'merge_accounts_invalid', details: { reason: 'mfa' } },
    })
  })

  it('only the user who began a merge can confirm it, even with the same session key', async () => {
    await signedIn('merged-away@example.com')
    const key = newKey()
    const [begins, other] = [createKit(world, world.api, key), createKit(world, world.api, key)]
    await begins.signInByEmail('begins@example.com')
    await other.signInByEmail('confirms@example.com')
    const { mergeId } = (await linkEmail(begins, 'merged-away@example.com')).body.details
    expect(await other.call('/users/me/merge', { body: { mergeId } })).toMatchObject({
      status: 409,
      body: { code: 'merge_accounts_invalid' },
    })
  })

  it('does not offer a merge where the environment forbids it: email_already_exists', async () => {
    const environmentId = 'separate'
    const start = async (email: string) => {
      const kit = world.kit()
      const { body } = await kit.call('/auth/email', { body: { email }, environmentId })
      const code = world.getCode(await world.mailTo(email))
      const verify = { verificationId: body.verificationId, code }
      kit.keep(await kit.call('/auth/email/verify', { body: verify, environmentId }))
      return kit
    }
    const ann = await start('sep-a@example.com')
    const bob = await start('sep-b@example.com')
    expect((await linkEmail(ann, 'sep-b@example.com', environmentId)).body.code).toBe('email_already_exists')
    await linkPhone(bob, '+491700000004', environmentId)
    expect((await linkPhone(ann, '+491700000004', environmentId)).body.code).toBe('merge_accounts_invalid')
  })
})

it('refuses other changes until the user has linked the email and phone number that the environment requires', async () => {
  const environmentId = 'strict'
  const kit = world.kit()
  const { body } = await kit.call('/auth/phone', { body: { phoneNumber: '+491700000005' }, environmentId })
  const code = world.getCode(await world.smsTo('+491700000005'))
  const verify = { verificationId: body.verificationId, code }
  const answer = kit.keep(await kit.call('/auth/phone/verify', { body: verify, environmentId }))
  expect(answer.body.user.step).toBe('verify-email')
  const change = () => kit.call('/users/me', { method: 'PATCH', body: { metadata: {} }, environmentId })
  expect(await change()).toMatchObject({
    status: 403,
    body: { code: 'verification_required', details: { step: 'verify-email' } },
  })
  expect((await linkEmail(kit, 'strict@example.com', environmentId)).body.step).toBe('done')
  expect((await change()).status).toBe(200)
})

it('a user with a second factor can verify a required address', async () => {
  const environmentId = 'strict'
  const kit = world.kit()
  const started = (await kit.call('/auth/email', { body: { email: 'second@example.com' }, environmentId })).body
  const code = world.getCode(await world.mailTo('second@example.com'))
  const verify = { body: { verificationId: started.verificationId, code }, environmentId }
  kit.keep(await kit.call('/auth/email/verify', verify))
  await linkPhone(kit, '+491700000006', environmentId)
  const { device, challenge, totp } = (await kit.call('/mfa/devices', { body: { method: 'totp' }, environmentId })).body
  const confirm = { challengeId: challenge.challengeId, code: totpAt(totp.secret, world.api.clock.now()) }
  const confirmed = await kit.call(`/mfa/devices/${device.id}/confirm`, { body: confirm, environmentId })
  const [first, second] = confirmed.body.recoveryCodes
  /** Makes a call with the second factor that it demands. */
  const call = async (
    path: string,
    options: { readonly method?: string; readonly body?: object },
    recoveryCode: string,
  ) => {
    const { action, requestHash } = (await kit.call(path, { ...options, environmentId })).body.details
    const begun = await kit.call('/mfa/challenges', { body: { action, requestHash }, environmentId })
    const answer = { body: { recoveryCode }, environmentId }
    const { mfaToken } = (await kit.call(`/mfa/challenges/${begun.body.challengeId}`, answer)).body
    return kit.call(path, { ...options, environmentId, headers: { 'x-keybay-mfa-token': mfaToken } })
  }
  const { credentials } = (await kit.call('/users/me', { environmentId })).body
  const email = credentials.find((credential: { method: string }) => credential.method === 'email')
  expect((await call(`/users/me/credentials/${email.id}`, { method: 'DELETE' }, first)).status).toBe(204)
  const path = '/users/me/credentials/email'
  const again = (await kit.call(path, { body: { email: 'third@example.com' }, environmentId })).body
  const body = { verificationId: again.verificationId, code: world.getCode(await world.mailTo('third@example.com')) }
  expect(await call(`${path}/verify`, { body }, second)).toMatchObject({ status: 201, body: { step: 'done' } })
})

it('refuses tokens and codes of another environment', async () => {
  const kit = await signedIn('env@example.com')
  expect((await kit.call('/users/me', { environmentId: 'strict' })).status).toBe(401)
  const { body } = await kit.call('/auth/email', { body: { email: 'cross@example.com' } })
  const code = world.getCode(await world.mailTo('cross@example.com'))
  const verify = { verificationId: body.verificationId, code }
  const crossed = await kit.call('/auth/email/verify', { body: verify, environmentId: 'separate' })
  expect(crossed.body.code).toBe('wrong_email_verification_token')
})

it('refuses sign-in methods that the environment has not enabled', async () => {
  const kit = world.kit()
  for (const [path, body] of [
    ['/auth/email', { email: 'a@example.com' }],
    ['/auth/phone', { phoneNumber: '+491700000006' }],
    ['/auth/passkey/options', undefined],
    ['/auth/external', { token: 'x' }],
  ] as const) {
    const answer = await kit.call(path, { method: 'POST', body, environmentId: 'closed' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'method_not_enabled' } })
  }
})
