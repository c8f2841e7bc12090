/** Wallets that inject a Solana provider, as data. In the page's first chunk, so it is short. */
import type { WalletIcon } from '@wallet-standard/base'

/** A wallet that puts a provider into the page and may not announce it. Write your own to add one. */
export interface InjectedWallet {
  /**
   * Its name in small letters, words joined by dashes. The connector is `browser-extension:<key>`, and steps aside for
   * `wallet-standard:<key>`, so that a wallet which appears both ways is listed once.
   */
  readonly key: string
  readonly name: string
  readonly icon: WalletIcon
  /** Where below `window` its Solana provider is, e.g. `phantom.solana`. */
  readonly path: string
  /** What it sets to `true` on its provider: by this it is known where only `window.solana` holds it. */
  readonly flag: string
  readonly installUrl: string
}
export type InjectedWalletOptions = Pick<InjectedWallet, 'name' | 'path' | 'installUrl'> &
  Partial<Pick<InjectedWallet, 'key' | 'icon' | 'flag'>> & { readonly colour?: string }

/**
 * One more wallet.
 *
 * @example
 * browserExtension({ wallets: [...injectedWallets(), injected({ name: 'Acme', path: 'acme.solana', installUrl: 'https://acme.example' })] })
 */
export function injected({ name, path, installUrl, colour = '#555', ...own }: InjectedWalletOptions): InjectedWallet {
  return {
    key: name.toLowerCase().replace(/\W+/g, '-'),
    name,
    // Its letter, until the wallet itself shows its picture. Encoded here: as text it is smaller.
    icon: `data:image/svg+xml;base64,${btoa(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8' rx='2' fill='${colour}'/><text x='4' y='6' text-anchor='middle' font-size='5.5' fill='#fff'>${name[0]}</text></svg>`)}`,
    path,
    flag: `is${name}`,
    installUrl,
    ...own,
  }
}

/** Phantom, Solflare, Backpack, Glow and Exodus. Their providers are documented at docs.phantom.com, docs.solflare.com, docs.backpack.app, docs.glow.app and docs.exodus.com. */
export function injectedWallets(): readonly InjectedWallet[] {
  return [
    ['Phantom', 'phantom.solana', 'phantom.com/download', '#639'],
    ['Solflare', 'solflare', 'solflare.com/download', '#c40'],
    ['Backpack', 'backpack', 'backpack.app/download', '#d22'],
    ['Glow', 'glow', 'glow.app', '#818'],
    ['Exodus', 'exodus.solana', 'exodus.com/download', '#24c'],
  ].map(([name = '', path = '', site, colour = '']) => injected({ name, path, installUrl: `https://${site}`, colour }))
}
