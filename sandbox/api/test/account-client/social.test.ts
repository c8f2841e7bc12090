/** A third party's provider: both halves, as the README shows them, against the real API and identity provider. */

import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import { visit } from '@keybay/sandbox-identity/testing/person'
import { freePort } from '@keybay/sandbox-service/free-port'
import { google, social, socialProvider } from '@keybay/social'
import { defineProvider } from '@keybay/social/server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { nodeFetch, PAGE } from './dom.js'
import { fresh, settings, startWorld, type World } from './support.js'

let identity: Identity
let world: World
beforeAll(async () => {
  // The API finds the issuer at its public URL, so that needs a host that Node resolves.
  const port = await freePort()
  identity = await startIdentity({
    port,
    publicUrl: `http://127.0.0.1:${port}`,
    redirectUris: [`${PAGE}/auth/social/acme`],
  })
  const acmeOnServer = defineProvider({
    id: 'acme',
    docs: 'https://acme.example/docs',
    protocol: 'oauth2',
    issuer: `${identity.url}/google`,
    scopes: ['openid', 'email'],
    pkce: true,
    clientAuthentication: 'post',
    profile: { id: 'idToken.sub', email: 'idToken.email', emailVerified: 'idToken.email_verified' },
  })
  world = await startWorld({
    environments: { local: { ...settings, signIn: { social: ['acme'] } } },
    social: { providers: [acmeOnServer], clients: { acme: sandboxClient('google') } },
  })
})
afterAll(async () => {
  await world?.stop()
  await identity?.stop()
})
beforeEach(fresh)
afterEach(() => vi.unstubAllGlobals())

/** Leaves requests to the provider to Node: those are the API's and the user's, not the page's. */
function connectProvider() {
  const pageFetch = globalThis.fetch
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
    String(input).startsWith(identity.url) ? nodeFetch(input, init) : pageFetch(input, init),
  )
}

/** Opens windows for the page, in which the user chooses Ann's account at once. */
function openWindows() {
  const open = vi.fn(() => {
    const popup = {
      closed: false,
      focus() {},
      close() {
        popup.closed = true
      },
      location: {
        async replace(address: string) {
          const isBack = (url: URL) => url.origin === PAGE
          const { page, params } = await visit(address, { person: 'ann', until: isBack, resolve: url => url })
          expect(page).toBe(`${PAGE}/auth/social/acme`)
          const data = { type: 'authorization_response', provider: 'acme', ...params, params }
          window.dispatchEvent(new window.MessageEvent('message', { origin: PAGE, data }))
        },
      },
    }
    return popup
  })
  vi.stubGlobal('open', open)
  return open
}

it('signs in with a provider that a third party added by socialProvider()', async () => {
  const acme = () => socialProvider({ id: 'acme', name: 'Acme', colour: '#0a7', icon: 'M2 2h20v20H2z' })
  const open = openWindows()
  connectProvider()
  const keybay = createKeybay({
    appName: 'Acme',
    baseApiUrl: world.api.internalUrl,
    logLevel: 'silent',
    plugins: [social({ mode: 'popup' }), acme(), google(), account()],
  })
  expect(keybay.connectors.get('social:acme')).toMatchObject({ kind: 'login', name: 'Acme', method: 'oauth' })
  expect(await keybay.connect('social:acme')).toMatchObject({ status: 'authenticated' })
  expect(open).toHaveBeenCalledOnce()
  const user = await keybay.account.user.refresh()
  expect(user?.credentials).toMatchObject([
    { method: 'oauth', provider: 'acme', profile: { email: 'ann@people.example', emailVerified: true } },
  ])
  // The shared API knows it too, and refuses to unlink the last way to sign in.
  await expect(keybay.social.unlink('acme')).rejects.toMatchObject({ code: 'unlink_error' })
  keybay.dispose()
})
