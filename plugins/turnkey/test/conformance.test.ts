// @vitest-environment happy-dom
/** The suite of every connector, against the real custody; the user is one whom the real API gave a wallet. */
import type { AccountApi } from '@keybay/account'
import { definePlugin, type Plugin } from '@keybay/kernel'
import { connectorConformance } from '@keybay/kernel/testing'
import { installPasskeys } from '@keybay/sandbox-tools/testing/page-passkeys'
import { afterAll } from 'vitest'
import { turnkey } from '../src/index.js'
import { createHost, signIn } from './host.js'
import { startWorld } from './world.js'

const world = await startWorld()
const device = installPasskeys()
const maker = createHost(world)
await signIn(world, maker)
await maker.turnkey.createWallet()
const [wallets, settings] = [await maker.account.request('/custody'), await maker.account.settings()]
maker.dispose()
localStorage.clear()
afterAll(async () => {
  device.remove()
  await world.stop()
})

/** Signed in when the page loads; what it says of the user's wallets is what the real API said. */
function signedIn(): Plugin<'account', Pick<AccountApi, 'request' | 'settings'>> {
  return definePlugin({
    id: 'account',
    version: '0.1.0',
    setup(kernel) {
      kernel.onStart(() => {
        const token = { value: 'token-of-mara', expiresAt: kernel.clock.now() + 86_400_000 }
        void kernel.session.set({ status: 'authenticated', userId: 'mara' }, token)
        return undefined
      })
      return { api: { request: async () => wallets, settings: async () => settings } }
    },
  })
}

const MINUTE = 60_000
let moved = 0
connectorConformance(
  ({ clock }) => {
    // Custody's clock is the one of the scene, or it would take no request of this page.
    const by = clock.now() - Date.now() - moved
    if (Math.abs(by) > MINUTE) {
      moved += by
      void world.advance(by)
    }
    return turnkey({ baseUrl: world.custodyUrl })
  },
  {
    id: 'turnkey',
    kind: 'wallet',
    // Connecting asks nobody, so nobody can refuse it or be away; turnkey.test.ts has who refuses to sign.
    stages: [],
    plugins: () => [signedIn()],
    secrets: ['token-of-mara'],
    patience: 20_000,
  },
)
