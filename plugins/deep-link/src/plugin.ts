/** Lists the wallets, and claims their return addresses. The rest loads with the first call. */
import { type Kernel, lazyWallet, loadOnce, type Plugin, type WalletConnector } from '@keybay/kernel'
import type { SolanaCluster } from '@keybay/kernel/spec'
import { VERSION } from './version.js'
import { type DeepLinkWallet, phantom, solflare } from './wallets.js'

export interface DeepLinkOptions {
  /** The network of a session. Default `mainnet-beta`; `localnet` is for test wallets. */
  readonly cluster?: SolanaCluster | undefined
  /** The app's address that the wallet stores with the session. Default: the page's origin. */
  readonly appUrl?: string | undefined
  /** Default: Phantom and Solflare. */
  readonly wallets?: readonly DeepLinkWallet[] | undefined
}
export type DeepLinkConnector = WalletConnector<
  `deep-link:${string}`,
  'solana:signMessage' | 'solana:signTransaction' | 'solana:signAndSendTransaction' | 'standard:events'
>
const versions = { supportedTransactionVersions: ['legacy', 0] } as const

/** iPhones and iPads may report a Mac, but no Mac has a touch screen. */
function isPhone() {
  return navigator.maxTouchPoints > 0 && /Android|Mac/.test(navigator.userAgent)
}

function createConnector(
  kernel: Kernel,
  wallet: DeepLinkWallet,
  { cluster = 'mainnet-beta', appUrl }: DeepLinkOptions,
): DeepLinkConnector {
  const { key, name, icon, installUrl } = wallet
  const connectorId = `deep-link:${key}` as const
  const chain = `solana:${cluster.split('-')[0]}` as const
  // In the return address, 128 bits of state follow the dot.
  const mark = `keybay_return=${key}.`
  const load = loadOnce(async () => {
    const { Engine } = await import('./engine.js')
    return new Engine(kernel, wallet, { connectorId, mark, cluster, chain, appUrl })
  })
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
    async () => (await load()).wallet,
  )
  /** Also subscribes to the wallet's changes. */
  const start = () => lazy.preload().then(load)
  return {
    kind: 'wallet',
    id: connectorId,
    name,
    icon,
    readiness: 'unsupported',
    installUrl,
    connectionType: 'deepLink',
    wallet: lazy,
    claims: ({ search }) => search.includes(mark) && (search.split(mark)[1]?.split('&', 1)[0] || true),
    preload: lazy.preload,
    connect: async ctx => (await start()).connect(ctx),
    disconnect: async () => (await start()).disconnect(),
    resume: async (url, ctx) => (await start()).resume(url, ctx),
  }
}
/**
 * Phantom and Solflare on this phone, reached by leaving the page. On anything but a phone they are `unsupported`.
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), deepLink({ cluster: 'devnet' })] })
 * await keybay.connect('deep-link:phantom') // leaves; the page that comes back is connected
 */
export function deepLink(options: DeepLinkOptions = {}): Plugin<'deep-link', undefined, DeepLinkConnector> {
  const { wallets = [phantom(), solflare()] } = options
  return {
    id: 'deep-link',
    version: VERSION,
    kit: true,
    setup(kernel) {
      const connectors = wallets.map(wallet => createConnector(kernel, wallet, options))
      kernel.onStart(() => {
        if (isPhone()) for (const { id } of connectors) kernel.connectors.update(id, { readiness: 'ready' })
        return undefined
      })
      return { connectors }
    },
  }
}
