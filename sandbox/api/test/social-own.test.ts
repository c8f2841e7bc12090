/** Tests the operator's own providers: only their data is new, so they work like the 22. */
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { defineProvider } from '@keybay/social/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { APP, settings, startWorld, type World } from './client.js'
import { acmeProvider, actions } from './social-world.js'

/** OAuth 2.0; its tokens do not say what they are for. @param unkept scopes whose tokens are not stored */
function terse(identity: Identity, id: string, unkept: RegExp) {
  return defineProvider({
    id,
    docs: 'https://terse.example/docs',
    protocol: 'oauth2',
    endpoints: {
      authorization: `${identity.url}/kraken/oauth/authorize`,
      token: `${identity.internalUrl}/kraken/oauth/token`,
    },
    scopes: ['account.info:basic'],
    pkce: false,
    clientAuthentication: 'basic',
    unkept,
    sources: { user: { url: `${identity.internalUrl}/kraken/oauth/userinfo` } },
    profile: { id: 'user.result.iiban' },
  })
}

let identity: Identity
let world: World & ReturnType<typeof actions>
let hostToken: string
beforeAll(async () => {
  // The API looks up the issuer at its own URL, so the host must resolve outside browsers, too.
  const port = await freePort()
  identity = await startIdentity({ port, publicUrl: `http://127.0.0.1:${port}` })
  const kraken = sandboxClient('kraken')
  const api = await startWorld({
    environments: { local: { ...settings, signIn: { social: ['acme', 'open', 'secret'] } } },
    social: {
      providers: [
        acmeProvider(`${identity.url}/google`),
        terse(identity, 'open', /drive/),
        terse(identity, 'secret', /^account\.info:/),
      ],
      clients: { acme: sandboxClient('google'), open: kraken, secret: kraken },
    },
  })
  world = { ...api, ...actions(identity, [api.api.port]) }
  hostToken = await world.apiToken()
})
afterAll(async () => {
  await world?.stop()
  await identity?.stop()
})

/** Signs in with a provider that stands in for one of the 22, whose client redirects only to that provider's page. */
async function signIn(provider: string, page: string) {
  const kit = world.kit()
  const attempt = await world.begin(kit, provider, { redirectUrl: `${APP}/auth/social/${page}` })
  const { params } = await world.go(attempt)
  return kit.keep(await world.end(kit, attempt, params))
}

function getToken(provider: string, userId: string) {
  return world.kit().call(`/social/${provider}/token?userId=${userId}`, { token: hostToken })
}

it('signs in with a custom OpenID Connect provider, and finds the same user the next time', async () => {
  const first = await signIn('acme', 'google')
  expect(first).toMatchObject({ status: 200, body: { status: 'authenticated', isNewUser: true } })
  const { user } = first.body
  expect(user.credentials).toMatchObject([
    { method: 'oauth', provider: 'acme', profile: { email: 'ann@people.example', emailVerified: true } },
  ])
  expect((await signIn('acme', 'google')).body).toMatchObject({ isNewUser: false, user: { id: user.id } })
  expect((await getToken('acme', user.id)).body).toMatchObject({ scope: 'openid email' })
})

it('treats a provider token response without scopes as having the requested scopes', async () => {
  const { user } = (await signIn('open', 'kraken')).body
  expect((await getToken('open', user.id)).body).toMatchObject({
    accessToken: expect.any(String),
    scope: 'account.info:basic',
  })
  const other = await signIn('secret', 'kraken')
  expect(other.body).toMatchObject({ status: 'authenticated', user: { credentials: [{ provider: 'secret' }] } })
  expect((await getToken('secret', other.body.user.id)).body.code).toBe('credential_not_found')
})
