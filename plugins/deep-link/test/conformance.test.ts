// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { type AnyPlugin, type Clock, createKeybay } from '@keybay/kernel'
import { connectorConformance } from '@keybay/kernel/testing'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, vi } from 'vitest'
import { deepLink, phantom, solflare } from '../src/index.js'
import { installPhone, type Phone } from './phone.js'

// These checks do not advance the clock; another test proves Solflare's delay.
const WALLETS = [phantom(), { ...solflare(), signMessageDelay: 0 }]

let phone: Phone
beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  phone = installPhone()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
/** Opens the wallet's answer in a new tab beside the requesting page, as iOS does. */
function answerInNewTab(address: string, environmentId: string, id: string, clock: Clock) {
  const { href } = location
  history.replaceState(null, '', address)
  const keybay = createKeybay({
    appName: 'New tab',
    logLevel: 'silent',
    environmentId,
    clock,
    plugins: [deepLink({ wallets: WALLETS })],
  })
  keybay.connectors.list()
  history.replaceState(null, '', href)
  // Disposed once it is done, so that only the requesting page stays in the window that both share.
  keybay.attempts.subscribe(() => {
    if (/ed$/.test(keybay.attempts.get(id)?.status ?? '')) keybay.dispose()
  })
}

for (const key of ['phantom', 'solflare']) {
  const id = `deep-link:${key}`
  connectorConformance(
    scene => {
      let action: 'refuses' | 'approves' = scene.user === 'refuses' ? 'refuses' : 'approves'
      scene.refusesSigning = async () => {
        action = 'refuses'
      }
      const plugin = deepLink({ wallets: WALLETS })
      const watched: AnyPlugin = {
        ...plugin,
        setup(kernel) {
          phone.onVisit = url => {
            void phone
              .answer(action, url)
              .then(back => answerInNewTab(back, kernel.config.environmentId, id, scene.clock))
          }
          return plugin.setup(kernel)
        },
      }
      return watched
    },
    {
      id,
      kind: 'wallet',
      stages: ['refuses', 'refuses-signing'],
      notApplicable: {
        'is-away': 'the time-out is paused while the user is in the wallet’s app',
        'switches-account': 'a wallet in another app reports no events',
      },
      returnUrl: `${location.origin}/?keybay_return=${key}.4uQeVj5tqViQh7yWWGStvk&data=x&nonce=y`,
    },
  )
}
