/** The one instance of this app: all that a host configures. */
import { createKeybay } from '@keybay/kernel'
import { solana } from '@keybay/solana'
import { walletStandard } from '@keybay/wallet-standard'
import { chainUrl, chainWsUrl } from './config.js'
import { createTimeline, type Timeline } from './developer/timeline.js'
import { knownWallets } from './known-wallets.js'

export const keybay = createKeybay({
  appName: 'Keybay sandbox',
  environmentId: 'sandbox',
  plugins: [
    solana({ cluster: 'localnet', endpoints: { localnet: { rpcUrl: chainUrl, webSocketUrl: chainWsUrl } } }),
    walletStandard(),
    knownWallets(),
  ],
})

declare module '@keybay/kernel' {
  interface Register {
    keybay: typeof keybay
  }
}

/** Begins with the instance, so that nothing is missed before the panel is opened. */
export const timeline: Timeline = createTimeline(keybay)
