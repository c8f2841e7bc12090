// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { type AnyPlugin, type Clock, createKeybay } from '@keybay/kernel'
import { connectorConformance } from '@keybay/kernel/testing'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, vi } from 'vitest'
import { deepLink, phantom, solflare } from '../src/index.js'
import { installPhone, type Phone } from './phone.js'

// Nobody moves the clock in these checks; Solflare's wait has a test of its own.
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

/** The wallet's answer opens a tab beside the page that asked, as on iOS: that page is still there, and hears of it. */
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
  // Gone at once, so that only the page that asked is left in the window that both share.
  keybay.attempts.subscribe(() => {
    if (/ed$/.test(keybay.attempts.get(id)?.status ?? '')) keybay.dispose()
  })
}

for (const key of ['phantom', 'solflare']) {
  const id = `deep-link:${key}`
  connectorConformance(
    scene => {
      const plugin = deepLink({ wallets: WALLETS })
      const watched: AnyPlugin = {
        ...plugin,
        setup(kernel) {
          phone.onVisit = url => {
            const person = scene.person === 'refuses' ? 'refuses' : 'approves'
            void phone
              .answer(person, url)
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
      // A user who is away at the wallet is waited for: the kernel's time-out rests while the page is left.
      stages: ['refuses'],
      returnUrl: `${location.origin}/?keybay_return=${key}.4uQeVj5tqViQh7yWWGStvk&data=x&nonce=y`,
    },
  )
}
