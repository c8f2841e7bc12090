/** Signs in with Acme: the page's half against the real API, which has the server's half, and a real provider. */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { connectorConformance, type Scene } from '@keybay/kernel/testing'
import { nodeFetch } from '@keybay/sandbox-api/testing/account-client/dom'
import { fresh } from '@keybay/sandbox-api/testing/account-client/support'
import { CONFORMANCE_ENVIRONMENTS } from '@keybay/sandbox-api/testing/page-world'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { acme } from './index.js'
import { createPopup, type SocialWorld, startSocialWorld } from './world.js'

let world: SocialWorld
beforeAll(async () => {
  // What the suite needs of a page, and the other tests do not.
  for (const name of ['history', 'sessionStorage']) vi.stubGlobal(name, Reflect.get(window, name))
  world = await startSocialWorld(['local', ...CONFORMANCE_ENVIRONMENTS])
  const pageFetch = globalThis.fetch
  // Requests to the provider come from the API and the user, not from the page.
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
    String(input).startsWith(world.issuer) ? nodeFetch(input, init) : pageFetch(input, init),
  )
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await world?.stop()
})
beforeEach(fresh)

function openPage(user: string) {
  vi.stubGlobal('open', () => createPopup(async () => user))
  return createKeybay({
    appName: 'Acme',
    baseApiUrl: world.api.internalUrl,
    logLevel: 'silent',
    plugins: [account(), acme()],
  })
}

it('signs in with the guide’s social provider in a window', async () => {
  const page = openPage('ann')
  expect(await page.connect('social:acme')).toMatchObject({ status: 'authenticated' })
  const user = await page.account.user.refresh()
  expect(user?.credentials).toMatchObject([{ method: 'oauth', provider: 'acme' }])
  page.dispose()
})

it('does not sign in when the user cancels at the guide’s social provider', async () => {
  const page = openPage('cancel')
  await expect(page.connect('social:acme')).rejects.toMatchObject({ code: 'oauth_error', walletCode: 2 })
  expect(page.session.current.status).toBe('anonymous')
  page.dispose()
})

connectorConformance(
  (scene: Scene) => {
    const isBack = new Promise<void>(resolve => {
      scene.comesBack = async () => resolve()
    })
    const user = async () => {
      if (scene.user === 'is-away') await isBack
      return 'ann'
    }
    vi.stubGlobal('open', () => createPopup(user))
    return acme()
  },
  {
    id: 'social:acme',
    kind: 'login',
    stages: ['refuses', 'is-away'],
    returnUrl: 'http://app.localhost:4000/?keybay_social=acme.x',
    plugins: () => [account()],
    get config() {
      return { baseApiUrl: world.api.internalUrl }
    },
    patience: 10_000,
  },
)
