/** The plugin: where it can work. What talks to a wallet loads with the first call. */
import {
  accountNotFound,
  configInvalid,
  connectTimeout,
  featureMissing,
  KeybayError,
  lazyWallet,
  type Plugin,
  toKeybayError,
  userRejected,
  type WalletConnector,
} from '@keybay/kernel'
import type { IdentifierString } from '@wallet-standard/base'
import { VERSION } from './version.js'

export interface MobileWalletOptions {
  /** The network that an authorisation is for. Default `mainnet-beta`; `localnet` is for wallets of your own. */
  readonly cluster?: 'mainnet-beta' | 'testnet' | 'devnet' | 'localnet' | undefined
  /** What the wallet shows and checks. Default: the page's origin, and the app's name. */
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

/** Chrome on Android, and its kin: an app can be called, and answers on a port of the phone. In a web view neither works. */
function canWork() {
  return isSecureContext && /Android.* Chrome\/\d/.test(navigator.userAgent) && !/; wv\)/.test(navigator.userAgent)
}

/**
 * The wallet apps of this phone, by Solana's Mobile Wallet Adapter. On anything but Android Chrome it is `unsupported`.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), mobileWallet({ cluster: 'devnet' })] })
 * await keybay.connect('mobile-wallet') // the phone asks which wallet; the page stays
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
      const start = (module: typeof import('./engine.js')) =>
        module.engineOf(kernel, { name, icon, chain, identity }, [
          KeybayError,
          toKeybayError,
          userRejected,
          accountNotFound,
          featureMissing,
          configInvalid,
          connectTimeout,
        ])
      const engine = () => import('./engine.js').then(start)
      const name = 'Mobile Wallet Adapter'
      const icon =
        `data:image/svg+xml;base64,${btoa("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect x='2' width='4' height='8' rx='1' fill='#189'/></svg>")}` as const
      const versions = { supportedTransactionVersions: ['legacy', 0] } as const
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
        () => engine().then(({ wallet }) => wallet),
      )
      const load = () => lazy.preload().then(engine)
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
        connect: ctx => load().then(({ connect }) => connect(ctx)),
        disconnect: () => load().then(({ disconnect }) => disconnect()),
      }
      kernel.onStart(() => {
        if (canWork()) kernel.connectors.update(connector.id, { readiness: 'ready' })
        return undefined
      })
      return { connectors: [connector] }
    },
  }
}
