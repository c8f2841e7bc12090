/** Lists the wallet apps of this phone where they can work. The client loads with the first call. */
import { lazyWallet, loadOnce, type Plugin, type WalletConnector } from '@keybay/kernel'
import type { SolanaCluster } from '@keybay/kernel/spec'
import type { IdentifierString } from '@wallet-standard/base'
import { VERSION } from './version.js'

export interface MobileWalletOptions {
  /** The network that an authorisation is for. Default `mainnet-beta`; `localnet` is for test wallets. */
  readonly cluster?: SolanaCluster | undefined
  /** Identity of the app, which the wallet shows and checks. Default: the page's origin, and the app's name. */
  readonly identity?: {
    readonly uri?: string
    /** Relative to `uri`. */
    readonly icon?: string
    readonly name?: string
  }
}
export type MobileWalletConnector = WalletConnector<
  'mobile-wallet',
  'solana:signMessage' | 'solana:signTransaction' | 'solana:signAndSendTransaction' | 'standard:events'
>

const name = 'Mobile Wallet Adapter'
const ICON_SVG =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect x='2' width='4' height='8' rx='1' fill='#189'/></svg>"
const versions = { supportedTransactionVersions: ['legacy', 0] } as const

/** Chrome and browsers built on it can open an app on Android and reach it on a port of the phone. Web views cannot. */
function isSupported() {
  return isSecureContext && /Android.* Chrome\/\d/.test(navigator.userAgent) && !/; wv\)/.test(navigator.userAgent)
}
/**
 * Connects to the wallet apps of this phone by Solana's Mobile Wallet Adapter. `unsupported` except in Chrome on Android.
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), mobileWallet({ cluster: 'devnet' })] })
 * await keybay.connect('mobile-wallet') // the phone asks which wallet; the page stays open
 */
export function mobileWallet({
  cluster = 'mainnet-beta',
  identity,
}: MobileWalletOptions = {}): Plugin<'mobile-wallet', undefined, MobileWalletConnector> {
  return {
    id: 'mobile-wallet',
    version: VERSION,
    kit: true,
    setup(kernel) {
      const chain: IdentifierString = `solana:${cluster.split('-')[0]}`
      const icon = `data:image/svg+xml;base64,${btoa(ICON_SVG)}` as const
      const loadEngine = loadOnce(async () => {
        const { createEngine } = await import('./client/engine.js')
        return createEngine(kernel, { name, icon, chain, identity })
      })
      const lazy = lazyWallet(
        {
          name,
          icon,
          chains: [chain],
          features: {
            'solana:signIn': ['signIn'],
            'solana:signMessage': ['signMessage'],
            'solana:signTransaction': ['signTransaction'],
            'solana:signAndSendTransaction': ['signAndSendTransaction'],
          },
          facts: { 'solana:signTransaction': versions, 'solana:signAndSendTransaction': versions },
        },
        async () => (await loadEngine()).wallet,
      )
      /** Also subscribes to the wallet's changes. */
      const start = () => lazy.preload().then(loadEngine)
      const connector: MobileWalletConnector = {
        kind: 'wallet',
        id: 'mobile-wallet',
        name,
        icon,
        readiness: 'unsupported',
        installUrl: 'https://solanamobile.com/wallets',
        connectionType: 'deepLink',
        wallet: lazy,
        preload: lazy.preload,
        connect: async context => (await start()).connect(context),
        disconnect: async () => (await start()).disconnect(),
      }
      kernel.onStart(() => {
        if (isSupported()) kernel.connectors.update(connector.id, { readiness: 'ready' })
        return undefined
      })
      return { connectors: [connector] }
    },
  }
}
