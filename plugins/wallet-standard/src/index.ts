/** Every Solana wallet that announces itself in the page through Wallet Standard, as a connector, for as long as it is there. */
import { definePlugin, type Plugin, VERSION, type WalletConnector, type WalletWith } from '@keybay/kernel'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { describe } from './describe.js'

/** feature → its method. What a Solana connector needs (S3.10). */
const NEEDED = { 'standard:events': 'on', 'standard:connect': 'connect', 'solana:signTransaction': 'signTransaction' }
type Needed = keyof typeof NEEDED & `${string}:${string}`

/** A wallet that announced itself; which ones is known only at run time, hence the pattern. */
export type StandardWallet = WalletConnector<`wallet-standard:${string}`, Needed>
export interface WalletStandardOptions {
  /**
   * Asked for each wallet that has the features needed, and again when its chains or features change: false leaves it out.
   * Default: all.
   */
  readonly filter?: (wallet: Wallet) => boolean
}

const offers = ({ features }: Wallet, needed: Readonly<Record<string, string>>): boolean => {
  const given = new Map<string, unknown>(Object.entries(features))
  return Object.entries(needed).every(([feature, method]) => {
    const found = given.get(feature)
    return typeof found === 'object' && found !== null && typeof Reflect.get(found, method) === 'function'
  })
}
/** What a list may show of a wallet besides its description. A change of nothing makes no new snapshot. */
const factsOf = ({ chains, features }: Wallet) => [...chains, ...Object.keys(features)].join()
const hasEvents = (wallet: Wallet): wallet is WalletWith<'standard:events'> =>
  offers(wallet, { 'standard:events': 'on' })

/**
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard()] })
 * keybay.connectors.get('wallet-standard:phantom') // once Phantom has announced itself; else undefined
 */
export const walletStandard = ({ filter = () => true }: WalletStandardOptions = {}): Plugin<
  'wallet-standard',
  undefined,
  StandardWallet
> =>
  definePlugin({
    id: 'wallet-standard',
    version: VERSION,
    setup({ config, connectors, logger, onStart }) {
      const needed =
        config.authMode === 'connect-and-sign' ? { ...NEEDED, 'solana:signMessage': 'signMessage' } : NEEDED
      const isConnector = (wallet: Wallet): wallet is StandardWallet['wallet'] =>
        offers(wallet, needed) && filter(wallet)
      onStart(() => {})
      return {}
    },
  })
