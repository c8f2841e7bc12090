/** The plugin: who the wallets are, and whose return an address is. Everything else loads with the first call. */
import {
  aborted,
  accountNotFound,
  configInvalid,
  disposed,
  KeybayError,
  lazyWallet,
  type Plugin,
  redact,
  redirectUnexpected,
  toKeybayError,
  userRejected,
  type WalletConnector,
} from '@keybay/kernel'
import type { IdentifierString } from '@wallet-standard/base'
import { VERSION } from './version.js'
import { type DeepLinkWallet, phantom, solflare } from './wallets.js'

export interface DeepLinkOptions {
  /** The network that a session is for. Default `mainnet-beta`; `localnet` is for wallets of your own. */
  readonly cluster?: 'mainnet-beta' | 'testnet' | 'devnet' | 'localnet' | undefined
  /** What the wallet keeps with the session. Default: the page's origin. */
  readonly appUrl?: string | undefined
  /** Default: Phantom and Solflare. */
  readonly wallets?: readonly DeepLinkWallet[] | undefined
}
export type DeepLinkConnector = WalletConnector<
  `deep-link:${string}`,
  'solana:signMessage' | 'solana:signTransaction' | 'solana:signAndSendTransaction' | 'standard:events'
>

/** iPhones and iPads say that they are Macs, or like one; but no Mac has a touch screen. */
function isPhone() {
  return navigator.maxTouchPoints > 0 && /Android|Mac/.test(navigator.userAgent)
}

/**
 * Phantom and Solflare on this phone, reached by leaving the page. On anything but a phone they are `unsupported`.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), deepLink({ cluster: 'devnet' })] })
 * await keybay.connect('deep-link:phantom') // leaves; the page that comes back is connected
 */
export function deepLink({
  cluster = 'mainnet-beta',
  appUrl,
  wallets = [phantom(), solflare()],
}: DeepLinkOptions = {}): Plugin<'deep-link', undefined, DeepLinkConnector> {
  return {
    id: 'deep-link',
    version: VERSION,
    kit: true,
    setup(kernel) {
      const chain: IdentifierString = `solana:${cluster.split('-')[0]}`
      const connectorOf = (face: DeepLinkWallet): DeepLinkConnector => {
        const { key, name, icon, installUrl } = face
        const id = `deep-link:${key}` as const
        // What the wallet comes back with: our parameter, its own name, and behind the dot 128 bits of state.
        const mark = `keybay_return=${key}.`
        const start = (module: typeof import('./engine.js')) =>
          module.engineOf(kernel, face, { connectorId: id, mark, cluster, chain, appUrl }, [
            KeybayError,
            toKeybayError,
            redact,
            userRejected,
            redirectUnexpected,
            accountNotFound,
            configInvalid,
            aborted,
            disposed,
          ])
        const engine = () => import('./engine.js').then(start)
        const versions = { supportedTransactionVersions: ['legacy', 0] } as const
        const lazy = lazyWallet(
          {
            name,
            icon,
            chains: [chain],
            features: {
              'solana:signMessage': ['signMessage'],
              'solana:signTransaction': ['signTransaction'],
              'solana:signAndSendTransaction': ['signAndSendTransaction'],
            },
            facts: { 'solana:signTransaction': versions, 'solana:signAndSendTransaction': versions },
          },
          () => engine().then(({ wallet }) => wallet),
        )
        const load = () => lazy.preload().then(engine)
        return {
          kind: 'wallet',
          id,
          name,
          icon,
          readiness: 'unsupported',
          installUrl,
          connectionType: 'deepLink',
          wallet: lazy,
          claims: ({ search }) => search.includes(mark) && (search.split(mark)[1]?.split('&', 1)[0] || true),
          preload: lazy.preload,
          connect: ctx => load().then(({ connect }) => connect(ctx)),
          disconnect: () => load().then(({ disconnect }) => disconnect()),
          resume: (url, ctx) => load().then(({ resume }) => resume(url, ctx)),
        }
      }
      const connectors = wallets.map(connectorOf)
      kernel.onStart(() => {
        if (isPhone()) for (const { id } of connectors) kernel.connectors.update(id, { readiness: 'ready' })
        return undefined
      })
      return { connectors }
    },
  }
}
