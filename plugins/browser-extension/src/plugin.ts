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
import type { IdentifierArray, Wallet } from '@wallet-standard/base'
import { findProvider } from './detect.js'
import { type Announced, listenForEvm } from './evm/announced.js'
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
const CONNECT = { 'standard:connect': ['connect'], 'standard:disconnect': ['disconnect'] }
/** How long a page's wallets may take until the others are offered for installation, ms; and until nobody looks any more. */
const PATIENCE_MS = 800
const LAST_LOOK_MS = 6400
const ERRORS: KernelErrors = [KeybayError, toKeybayError, accountNotFound, featureMissing]
const versions = { supportedTransactionVersions: ['legacy', 0] }

const connectorOf = (
  key: string,
  { name, icon, installUrl }: Pick<InjectedWallet, 'name' | 'icon'> & { readonly installUrl?: string },
  wallet: Wallet,
  preload: () => Promise<unknown>,
): BrowserExtensionConnector => ({
  kind: 'wallet',
  id: `browser-extension:${key}`,
  name,
  icon,
  readiness: 'ready',
  ...(installUrl && { installUrl }),
  connectionType: 'browserExtension',
  wallet: wallet as BrowserExtensionConnector['wallet'], // it has the features that are named here
  preload,
})

/** One wallet that injects, in the list for as long as it belongs there. */
const follow = (
  kernel: Kernel,
  face: InjectedWallet,
  wallets: readonly InjectedWallet[],
  chains: IdentifierArray,
): ((offer: boolean) => void) => {
  const { connectors } = kernel
  const { key, name, icon } = face
  const id = `browser-extension:${key}`
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
        ...CONNECT,
        'solana:signMessage': ['signMessage'],
        'solana:signTransaction': ['signTransaction'],
        'solana:signAndSendTransaction': ['signAndSendTransaction'],
      },
      facts: { 'solana:signTransaction': versions, 'solana:signAndSendTransaction': versions },
    },
    () => import('./injected.js').then(start),
  )
  const connector = connectorOf(key, face, lazy, lazy.preload)
  let remove: (() => void) | undefined
  return offer => {
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

/** An extension that announces itself for EVM. */
const evmConnector = (kernel: Kernel, { info, provider }: Announced): BrowserExtensionConnector => {
  const id = `browser-extension:${info.rdns}`
  const start = (module: typeof import('./evm/wallet.js')) =>
    module.evmWallet(kernel, { id, ...info }, provider, ERRORS)
  const lazy = lazyWallet(
    {
      ...info,
      chains: ['eip155:1'],
      features: {
        ...CONNECT,
        'evm:signMessage': ['signMessage'],
        'evm:signTypedData': ['signTypedData'],
        'evm:switchChain': ['switchChain'],
        'evm:sendTransaction': ['sendTransaction'],
      },
    },
    () => import('./evm/wallet.js').then(start),
  )
  return connectorOf(info.rdns, info, lazy, lazy.preload)
}

/**
 * Browser wallets that do not announce themselves by Wallet Standard, and those that announce themselves for EVM.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), browserExtension()] })
 * await keybay.connect('browser-extension:phantom')
 */
export const browserExtension = ({
  wallets = injectedWallets(),
  chains = SOLANA,
  installLinks = true,
  evm,
}: BrowserExtensionOptions = {}): Plugin<'browser-extension', undefined, BrowserExtensionConnector> => ({
  id: 'browser-extension',
  version: VERSION,
  kit: true,
  setup(kernel) {
    const { clock, connectors, session } = kernel
    kernel.onStart(() => {
      const all = wallets.map(wallet => follow(kernel, wallet, wallets, chains))
      const canInstall = installLinks && !/Android|iPhone|iPad/.test(navigator.userAgent)
      let waited = 50
      const look = () => {
        for (const one of all) one(canInstall && waited >= PATIENCE_MS)
      }
      let cancel = () => {}
      // Some inject late, and none of them says so.
      const lookAgain = () => {
        look()
        if (waited >= LAST_LOOK_MS) return
        waited *= 2
        cancel = clock.after(waited, lookAgain)
      }
      lookAgain()
      const offs = [connectors.subscribe(look), () => cancel()]
      if (evm ?? !session.prove)
        offs.push(listenForEvm(announced => void connectors.add(evmConnector(kernel, announced))))
      return () => {
        for (const off of offs) off()
      }
    })
    return {}
  },
})
