/** Tests the name of an account that a wallet frame shows: of the token's own user, for frames alone, and in no log. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { afterAll, expect, it } from 'vitest'
import { getReadableName } from '../src/accounts/account-name.js'
import { FRAME } from './backup-frame.js'
import { APP, type Kit, refused, settings, startWorld } from './client.js'

const world = await startWorld({ environments: { local: { ...settings, frameOrigins: [FRAME] } } })
afterAll(world.stop)

function ask(kit: Kit, options: object = {}) {
  return kit.call('/auth/frame-account', { method: 'GET', proof: false, headers: { origin: FRAME }, ...options })
}

it('names the account by the email address that signs in, also after the page has changed its username', async () => {
  const kit = await world.signedIn('named@example.com')
  const answered = await ask(kit)
  expect(answered).toMatchObject({ status: 200, body: { account: 'named@example.com' } })
  expect(answered.headers.get('access-control-allow-origin')).toBe(FRAME)
  expect(answered.headers.get('cache-control')).toContain('no-store')
  await kit.call('/users/me', { method: 'PATCH', body: { username: 'named-ann' } })
  expect((await ask(kit)).body).toEqual({ account: 'named@example.com' })
  for (const name of ['named@example.com', 'named-ann']) expect(JSON.stringify(world.logs)).not.toContain(name)
})

it('names the account of a user who only has a passkey by the username, or else by the passkey', async () => {
  const kit = world.kit()
  const { challengeId, options } = (await kit.call('/auth/passkey/sign-up/options', { body: { userName: 'Ann' } })).body
  const response = newAuthenticator().create(options)
  kit.keep(await kit.call('/auth/passkey/sign-up', { body: { challengeId, response } }))
  const { credentials } = (await kit.call('/users/me')).body
  expect((await ask(kit)).body).toEqual({ account: credentials[0].name })
  await kit.call('/users/me', { method: 'PATCH', body: { username: 'ann-by-passkey' } })
  expect((await ask(kit)).body).toEqual({ account: 'ann-by-passkey' })
})

it('hides no name behind its length or characters that turn letters round', async () => {
  const name = (text: string) => getReadableName([text])
  expect(name('\u202emoc.elpmaxe@nna\u2066')).toBe('moc.elpmaxe@nna')
  expect(name('x'.repeat(300))).toBe('x'.repeat(256))
  expect(getReadableName([undefined, null, '', '\u200b \u00ad', 'Ann'])).toBe('Ann')
  expect(name(' ')).toBeUndefined()
})

it('names no account to a page, to a request without an origin, or for a token that is not valid', async () => {
  const kit = await world.signedIn('asked@example.com')
  for (const origin of [APP, 'http://evil.localhost'])
    await refused(ask(kit, { headers: { origin } }), 403, 'origin_not_allowed')
  await refused(ask(kit, { headers: {} }), 403, 'origin_not_allowed')
  await refused(ask(kit, { token: '' }), 401, 'unauthorized')
  const [head, body, signature = ''] = kit.token?.split('.') ?? []
  const forged = [head, body, `${signature.slice(0, -8)}AAAAAAAA`].join('.')
  await refused(ask(kit, { token: forged }), 401, 'unauthorized')
  await kit.call('/auth/sign-out', { method: 'POST' })
  await refused(ask(kit), 401, 'session_expired')
})
