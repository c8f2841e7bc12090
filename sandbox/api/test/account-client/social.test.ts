/**
 * Tests the page's half of social sign-in against the real API and identity provider: each of the 22 providers that
 * responds in a window (Apple never does), and a third party's provider, added as the README shows.
 */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { SOCIAL_PROVIDERS } from '@keybay/kernel/spec'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import { visit } from '@keybay/sandbox-identity/testing/visit'
import { freePort } from '@keybay/sandbox-tools/free-port'
import * as entry from '@keybay/social'
import { socialProvider } from '@keybay/social'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { acmeProvider } from '../social-world.js'
import { nodeFetch, PAGE } from './dom.js'
import { fresh, settings, startWorld, type World } from './support.js'

const APPLE = 'apple'
const inWindow = SOCIAL_PROVIDERS.filter(id => id !== APPLE)
function acme() {
  return socialProvider({ id: 'acme', name: 'Acme', colour: '#0a7', icon: 'M2 2h20v20H2z' })
}

let identity: Identity
let world: World
beforeAll(async () => {
  // The API finds the issuer at its public URL, so the host must resolve in Node.
  const port = await freePort()
  identity = await startIdentity({
    port,
    publicUrl: `http://127.0.0.1:${port}`,
    redirectUris: [`${PAGE}/auth/social/{provider}`, `${PAGE}/auth/social/acme`],
  })
  world = await startWorld({
    environments: { local: { ...settings, signIn: { social: [...inWindow, 'acme'] } } },
    social: {
      identity: { publicUrl: identity.url, internalUrl: identity.internalUrl },
      providers: [acmeProvider(`${identity.url}/google`)],
      clients: { acme: sandboxClient('google') },
    },
  })
})
afterAll(async () => {
  await world?.stop()
  await identity?.stop()
})
beforeEach(fresh)
afterEach(() => vi.unstubAllGlobals())

/** Passes requests to the provider through to Node: they come from the API and the user, not from the page. */
function connectProvider() {
  const pageFetch = globalThis.fetch
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
    String(input).startsWith(identity.url) ? nodeFetch(input, init) : pageFetch(input, init),
  )
}

/** Opens windows for the page, in which the user chooses Ann's account at once. */
function openWindows(provider: string) {
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
          const { page, params } = await visit(address, { user: 'ann', until: isBack, resolve: url => url })
          expect(page).toBe(`${PAGE}/auth/social/${provider}`)
          const { code, state } = params
          const data = { type: 'authorization_response', provider, params, state, ...(code && { code }) }
          window.dispatchEvent(new window.MessageEvent('message', { origin: PAGE, data }))
        },
      },
    }
    return popup
  })
  vi.stubGlobal('open', open)
  return open
}

it.each([...inWindow, 'acme'])('signs in with the social provider %s in a window', async provider => {
  connectProvider()
  const open = openWindows(provider)
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: all of them, by the specification's names
  const providers = inWindow.map(id => entry[id]())
  const keybay = createKeybay({
    appName: 'Acme',
    baseApiUrl: world.api.internalUrl,
    logLevel: 'silent',
    plugins: [entry.social({ mode: 'popup' }), acme(), ...providers, account()],
  })
  expect(await keybay.connect(`social:${provider}`, { shop: 'acme.myshopify.com' })).toMatchObject({
    status: 'authenticated',
  })
  expect(open).toHaveBeenCalledOnce()
  const user = await keybay.account.user.refresh()
  expect(user?.credentials).toMatchObject([{ method: 'oauth', provider }])
  // The shared API supports every provider.
  await expect(keybay.social.unlink(provider)).rejects.toMatchObject({
    code: 'unlink_error',
    cause: { code: 'last_credential' },
  })
  keybay.dispose()
})
