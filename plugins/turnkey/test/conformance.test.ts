// @vitest-environment happy-dom
/** Runs the connector suite against the real custody service, with a user whom the real API gave a wallet. */
import type { AccountApi } from '@keybay/account'
import { definePlugin, type Plugin } from '@keybay/kernel'
import { connectorConformance } from '@keybay/kernel/testing'
import { installPasskeys } from '@keybay/sandbox-tools/testing/page-passkeys'
import { afterAll } from 'vitest'
import { turnkey } from '../src/index.js'
import { createHost, signIn, startWorld } from './support.js'

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
/** Account plugin with a signed-in user on load; its responses about the user's wallets come from the real API. */
function signedIn(): Plugin<'account', Pick<AccountApi, 'request' | 'settings' | 'sessionValue'>> {
  return definePlugin({
    id: 'account',
    version: '0.1.0',
    setup(kernel) {
      kernel.onStart(() => {
        const token = { value: 'token-of-mara', expiresAt: kernel.clock.now() + 86_400_000 }
        void kernel.session.set({ status: 'authenticated', userId: 'mara' }, token)
        return undefined
      })
      let kept: unknown
      const sessionValue: AccountApi['sessionValue'] = async (_name, next) => {
        kept = next(kept)
        return kept
      }
      return { api: { request: async () => wallets, settings: async () => settings, sessionValue } }
    },
  })
}

const MINUTE = 60_000
let moved = 0
connectorConformance(
  ({ clock }) => {
    // The custody service must use the scene's clock, or it would reject every request of this page.
    const by = clock.now() - Date.now() - moved
    if (Math.abs(by) > MINUTE) {
      moved += by
      void world.advance(by)
    }
    return turnkey({ baseUrl: world.custodyUrl, signingWindow: false })
  },
  {
    id: 'turnkey',
    kind: 'wallet',
    // turnkey.test.ts covers users who refuse to sign.
    notApplicable: {
      refuses: 'connecting shows no prompt',
      'is-away': 'connecting shows no prompt',
      'refuses-signing': 'the session key signs without a prompt',
      'switches-account': 'the service has no selected account',
    },
    plugins: () => [signedIn()],
    secrets: ['token-of-mara'],
    patience: 20_000,
  },
)
