/** Lists the wallets of the page, and those the user could install. The code that calls a wallet loads with the first call. */
import { type Kernel, lazyWallet, type Plugin, type WalletConnector } from '@keybay/kernel'
import type { IdentifierArray } from '@wallet-standard/base'
import { findProvider } from './detect.js'
import { VERSION } from './version.js'
import { type InjectedWallet, injectedWallets } from './wallets.js'

export interface BrowserExtensionOptions {
  /** Wallets that inject for Solana. Default: `injectedWallets()`. */
  readonly wallets?: readonly InjectedWallet[]
  /** Solana chains the wallets sign for; their providers do not say. Default all four. */
  readonly chains?: IdentifierArray
  /** Lists wallets that are not installed, with their install page. Default true; never on phones. */
  readonly installLinks?: boolean
  /**
   * Lists EIP-6963 wallets, for EVM. Default: true unless connecting must prove the address (`connect-and-sign` with
   * `@keybay/account`), which takes a Solana signature.
   */
  readonly evm?: boolean
}
/** Ids are known only at run time, hence the pattern: `browser-extension:phantom`, `browser-extension:io.metamask`. */
export type BrowserExtensionConnector = WalletConnector<
  `browser-extension:${string}`,
  'standard:connect' | 'standard:disconnect' | 'standard:events'
>

const SOLANA_CHAINS: IdentifierArray = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet']
/** Delay before the second look for wallets that inject late. It doubles with each look. */
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 3200
const versions = { supportedTransactionVersions: ['legacy', 0] } as const

// Passed on: an `import()` in a chunk that loads later would put the bundler's loader into a chunk of its own.
function loadTransactions() {
  return import('./transactions.js')
}

interface Listing {
  readonly wallets: readonly InjectedWallet[]
  readonly chains: IdentifierArray
  readonly installLinks: boolean
}

function createConnector(
  kernel: Kernel,
  injected: InjectedWallet,
  { wallets, chains }: Listing,
): BrowserExtensionConnector {
  const { key, name, icon, installUrl } = injected
  const id = `browser-extension:${key}` as const
  const wallet = lazyWallet(
    {
      name,
      icon,
      chains,
      features: {
        'standard:connect': ['connect'],
        'standard:disconnect': ['disconnect'],
        'solana:signMessage': ['signMessage'],
        'solana:signTransaction': ['signTransaction'],
        'solana:signAndSendTransaction': ['signAndSendTransaction'],
      },
      facts: { 'solana:signTransaction': versions, 'solana:signAndSendTransaction': versions },
    },
    async () => {
      const { createInjectedWallet } = await import('./injected.js')
      const find = () => findProvider(injected, wallets)
      return createInjectedWallet(kernel, { id, name, icon }, chains, find, loadTransactions)
    },
  )
  const { preload } = wallet
  return {
    kind: 'wallet',
    id,
    name,
    icon,
    readiness: 'ready',
    installUrl,
    connectionType: 'browserExtension',
    wallet,
    preload,
  }
}
/** Returns a function that lists, updates or removes the wallet by what the page holds now. */
function createUpdater(kernel: Kernel, injected: InjectedWallet, listing: Listing): () => void {
  const { connectors } = kernel
  const connector = createConnector(kernel, injected, listing)
  let remove: (() => void) | undefined
  return () => {
    // Behind `~` is the mark of a wallet whose name another one claims, too.
    const twin = connectors.list().some(({ id }) => id.split('~')[0] === `wallet-standard:${injected.key}`)
    const readiness = findProvider(injected, listing.wallets) ? 'ready' : 'not-installed'
    if (twin || (readiness === 'not-installed' && !listing.installLinks)) {
      remove?.()
      remove = undefined
    } else {
      remove ??= connectors.add(connector)
      if (connectors.get(connector.id)?.readiness !== readiness) connectors.update(connector.id, { readiness })
    }
  }
}
/** Looks for wallets now, when the list of connectors changes, and with growing delays: no event reports a late wallet. */
function watchPage({ clock, connectors }: Kernel, updaters: readonly (() => void)[]): () => void {
  const update = () => {
    for (const run of updaters) run()
  }
  let cancel = () => {}
  const look = (delay: number) => {
    update()
    if (delay <= MAX_DELAY_MS) cancel = clock.after(delay, () => look(delay * 2))
  }
  look(FIRST_DELAY_MS)
  const off = connectors.subscribe(update)
  return () => {
    off()
    cancel()
  }
}

function watchEvm(kernel: Kernel): () => void {
  let stopped = false
  const list = async (event: Event) => {
    const { listEvm } = await import('./evm/listed.js')
    if (!stopped && event instanceof CustomEvent) listEvm(kernel, event.detail)
  }
  // Offline, the load fails; the wallet announces itself to the next page again.
  const listen = (event: Event) => void list(event).catch(() => {})
  addEventListener('eip6963:announceProvider', listen)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => {
    stopped = true
    removeEventListener('eip6963:announceProvider', listen)
  }
}
/**
 * Browser wallets that do not announce themselves by Wallet Standard, and those that announce themselves for EVM.
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), browserExtension()] })
 * await keybay.connect('browser-extension:phantom')
 */
export function browserExtension({
  wallets = injectedWallets(),
  chains = SOLANA_CHAINS,
  installLinks = true,
  evm,
}: BrowserExtensionOptions = {}): Plugin<'browser-extension', undefined, BrowserExtensionConnector> {
  return {
    id: 'browser-extension',
    version: VERSION,
    kit: true,
    setup(kernel) {
      kernel.onStart(() => {
        const isPhone = /Android|iPhone|iPad/.test(navigator.userAgent)
        const listing = { wallets, chains, installLinks: installLinks && !isPhone }
        const stopPage = watchPage(
          kernel,
          wallets.map(wallet => createUpdater(kernel, wallet, listing)),
        )
        const stopEvm = (evm ?? !kernel.session.provesWallets) ? watchEvm(kernel) : () => {}
        return () => {
          stopPage()
          stopEvm()
        }
      })
      return {}
    },
  }
}
