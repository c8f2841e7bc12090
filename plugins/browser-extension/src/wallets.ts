/** Wallets that inject a Solana provider, as data. In the page's first chunk, so it is short. */
import { createLetterIcon } from '@keybay/kernel/spec'
import type { WalletIcon } from '@wallet-standard/base'

/** A wallet that puts a provider into the page and may not announce it. Write another one to add it. */
export interface InjectedWallet {
  /**
   * Its name in lower case, words joined by dashes. The connector is `browser-extension:<key>`, and is not listed beside
   * `wallet-standard:<key>`, so that a wallet which appears both ways is listed once.
   */
  readonly key: string
  readonly name: string
  readonly icon: WalletIcon
  /** Path of its Solana provider below `window`, e.g. `phantom.solana`. */
  readonly path: string
  /** Property it sets to `true` on its provider; identifies the wallet where only `window.solana` holds it. */
  readonly flag: string
  readonly installUrl: string
}
export type InjectedWalletOptions = Pick<InjectedWallet, 'name' | 'path' | 'installUrl'> &
  Partial<Pick<InjectedWallet, 'key' | 'icon' | 'flag'>> & { readonly colour?: string }

/**
 * Describes another wallet.
 * @example
 * browserExtension({ wallets: [...injectedWallets(), injected({ name: 'Acme', path: 'acme.solana', installUrl: 'https://acme.example' })] })
 */
export function injected({
  name,
  path,
  installUrl,
  colour = '#555',
  ...overrides
}: InjectedWalletOptions): InjectedWallet {
  return {
    key: name.toLowerCase().replace(/\W+/g, '-'),
    name,
    icon: createLetterIcon(name, colour),
    path,
    flag: `is${name}`,
    installUrl,
    ...overrides,
  }
}
/** Phantom, Solflare, Backpack, Glow and Exodus. Documented at docs.phantom.com, docs.solflare.com, docs.backpack.app, docs.glow.app and docs.exodus.com. */
export function injectedWallets(): readonly InjectedWallet[] {
  return [
    { name: 'Phantom', path: 'phantom.solana', installUrl: 'https://phantom.com/download', colour: '#639' },
    { name: 'Solflare', path: 'solflare', installUrl: 'https://solflare.com/download', colour: '#c40' },
    { name: 'Backpack', path: 'backpack', installUrl: 'https://backpack.app/download', colour: '#d22' },
    { name: 'Glow', path: 'glow', installUrl: 'https://glow.app', colour: '#818' },
    { name: 'Exodus', path: 'exodus.solana', installUrl: 'https://exodus.com/download', colour: '#24c' },
  ].map(injected)
}
