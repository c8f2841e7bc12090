/** Lists every Solana wallet that the page registers through Wallet Standard as a connector. */
import type { Plugin } from '@keybay/kernel'
import type { Wallet } from '@wallet-standard/base'
import { type StandardWallet, watchWallets } from './page-wallets.js'
import { VERSION } from './version.js'

export type { StandardWallet }

/** The features of a Solana connector, each with its method (S3.10). */
const REQUIRED = { 'standard:events': 'on', 'standard:connect': 'connect', 'solana:signTransaction': 'signTransaction' }

export interface WalletStandardOptions {
  /**
   * Called for each wallet that has the required features, and again when its chains or features change. Returning false
   * hides the wallet. Default: all are listed.
   */
  readonly filter?: (wallet: Wallet) => boolean
}

function hasMethods({ features }: Wallet, required: Readonly<Record<string, string>>): boolean {
  return Object.entries(required).every(
    ([feature, method]) => typeof Object(Object(features)[feature])[method] === 'function',
  )
}

/**
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard()] })
 * keybay.connectors.get('wallet-standard:phantom') // undefined until Phantom registers
 */
export function walletStandard({
  filter = () => true,
}: WalletStandardOptions = {}): Plugin<'wallet-standard', undefined, StandardWallet> {
  return {
    id: 'wallet-standard',
    version: VERSION,
    kit: true,
    setup(kernel) {
      const required =
        kernel.config.authMode === 'connect-only' ? REQUIRED : { ...REQUIRED, 'solana:signMessage': 'signMessage' }
      const qualifies = (wallet: Wallet) =>
        hasMethods(wallet, required) && wallet.chains.every(chain => typeof chain === 'string') && filter(wallet)
      kernel.onStart(() => watchWallets(kernel, qualifies))
      return {}
    },
  }
}
