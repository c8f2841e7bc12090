/** The plugin: who is there, and who could be. What talks to a wallet loads with the first call. */
import {
  accountNotFound,
  featureMissing,
  type Kernel,
  KeybayError,
  lazyWallet,
  type Plugin,
  toKeybayError,
  type WalletConnector,
} from '@keybay/kernel'
import type { IdentifierArray } from '@wallet-standard/base'
import { findProvider } from './detect.js'
import type { KernelErrors } from './faults.js'
import { VERSION } from './version.js'
import { type InjectedWallet, injectedWallets } from './wallets.js'

export interface BrowserExtensionOptions {
  /** Wallets that inject for Solana. Default: `injectedWallets()`. */
  readonly wallets?: readonly InjectedWallet[]
  /** Solana's chains that they sign for: their providers do not say. Default all four. */
  readonly chains?: IdentifierArray
  /** Whether wallets that are not there are listed with the place to get them. Default true; never on phones. */
  readonly installLinks?: boolean
  /**
   * Whether EIP-6963 wallets are listed, for EVM. Default: unless connecting must prove the address
   * (`connect-and-sign` with `@keybay/account`), which takes a Solana signature.
   */
  readonly evm?: boolean
}
/** Which ones is known only at run time, hence the pattern: `browser-extension:phantom`, `browser-extension:io.metamask`. */
export type BrowserExtensionConnector = WalletConnector<
  `browser-extension:${string}`,
  'standard:connect' | 'standard:disconnect' | 'standard:events'
>

const SOLANA: IdentifierArray = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet']
/** Until nobody looks any more for wallets that come late, ms: five looks, each after twice the time. */
const LAST_LOOK_MS = 3200
const ERRORS: KernelErrors = [KeybayError, toKeybayError, accountNotFound, featureMissing]
const versions = { supportedTransactionVersions: ['legacy', 0] } as const

/** One wallet that injects, in the list for as long as it belongs there. */
function follow(
  kernel: Kernel,
  face: InjectedWallet,
  wallets: readonly InjectedWallet[],
  chains: IdentifierArray,
  offer: boolean,
): () => void {
  const { connectors } = kernel
  const { key, name, icon, installUrl } = face
  const id = `browser-extension:${key}` as const
  const start = (module: typeof import('./injected.js')) =>
    module.injectedWallet(
      kernel,
      { id, name, icon, chains },
      () => findProvider(face, wallets),
      ERRORS,
      () => import('./transactions.js'),
    )
  const lazy = lazyWallet(
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
    () => import('./injected.js').then(start),
  )
  const connector: BrowserExtensionConnector = {
    kind: 'wallet',
    id,
    name,
    icon,
    readiness: 'ready',
    installUrl,
    connectionType: 'browserExtension',
    wallet: lazy,
    preload: lazy.preload,
  }
  let remove: (() => void) | undefined
  return () => {
    const twin = connectors.get(`wallet-standard:${key}`)
    const readiness = findProvider(face, wallets) ? 'ready' : 'not-installed'
    if (twin || (readiness !== 'ready' && !offer)) {
      remove?.()
      remove = undefined
    } else {
      remove ??= connectors.add(connector)
      if (connectors.get(id)?.readiness !== readiness) connectors.update(id, { readiness })
    }
  }
}

/** Hears every wallet for EVM that is there, and every later one when it comes. Returns stop. */
function listenForEvm(kernel: Kernel): () => void {
  let over = false
  const hear = (event: Event) => {
    const { detail } = event as CustomEvent<unknown>
    const list = (module: typeof import('./evm/listed.js')) => over || module.listEvm(kernel, detail, ERRORS)
    import('./evm/listed.js').then(list).catch(() => {}) // offline: it announces itself to the next page again
  }
  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => {
    over = true
    removeEventListener('eip6963:announceProvider', hear)
  }
}

/**
 * Browser wallets that do not announce themselves by Wallet Standard, and those that announce themselves for EVM.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), browserExtension()] })
 * await keybay.connect('browser-extension:phantom')
 */
export function browserExtension({
  wallets = injectedWallets(),
  chains = SOLANA,
  installLinks = true,
  evm,
}: BrowserExtensionOptions = {}): Plugin<'browser-extension', undefined, BrowserExtensionConnector> {
  return {
    id: 'browser-extension',
    version: VERSION,
    kit: true,
    setup(kernel) {
      const { clock, connectors, session } = kernel
      kernel.onStart(() => {
        const offer = installLinks && !/Android|iPhone|iPad/.test(navigator.userAgent)
        const all = wallets.map(wallet => follow(kernel, wallet, wallets, chains, offer))
        let waited = 100
        const look = () => {
          for (const one of all) one()
        }
        let cancel = () => {}
        // Some inject late, and none of them says so.
        const lookAgain = () => {
          look()
          if (waited < LAST_LOOK_MS) cancel = clock.after(waited, lookAgain)
          waited *= 2
        }
        lookAgain()
        const offs = [connectors.subscribe(look), () => cancel()]
        if (evm ?? !session.prove) offs.push(listenForEvm(kernel))
        return () => {
          for (const off of offs) off()
        }
      })
      return {}
    },
  }
}
