/** Wallets as data: what they differ in. In the page's first chunk, so it is short. */
import { createLetterIcon, SOLFLARE_SIGN_MESSAGE_DELAY_MS } from '@keybay/kernel/spec'
import type { WalletIcon } from '@wallet-standard/base'

/** A wallet that speaks this protocol. Write another one to add it. */
export interface DeepLinkWallet {
  /** In lower case. The connector is `deep-link:<key>`; the wallet returns `<key>_encryption_public_key`. */
  readonly key: string
  readonly name: string
  readonly icon: WalletIcon
  /** Prefix of the method's name; ends in a slash. */
  readonly baseUrl: string
  readonly installUrl: string
  /** How long the wallet refuses to sign a message after a connect, in ms. */
  readonly signMessageDelay?: number
}
export type DeepLinkWalletOptions = Partial<Pick<DeepLinkWallet, 'baseUrl' | 'installUrl'>>

function wallet(key: string, name: string, domain: string, colour: string): DeepLinkWallet {
  return {
    key,
    name,
    icon: createLetterIcon(name, colour),
    baseUrl: `https://${domain}/ul/v1/`,
    installUrl: `https://${key}.com/download`,
  }
}
/**
 * Phantom. The protocol: https://docs.phantom.com/phantom-deeplinks/provider-methods/connect and the pages beside it,
 * https://docs.phantom.com/phantom-deeplinks/encryption and https://docs.phantom.com/phantom-deeplinks/handling-sessions.
 * @example deepLink({ wallets: [phantom({ baseUrl: 'http://phone.localhost:4700/phantom/ul/v1/' })] })
 */
export function phantom(options?: DeepLinkWalletOptions): DeepLinkWallet {
  return { ...wallet('phantom', 'Phantom', 'phantom.app', '#639'), ...options }
}
/**
 * Solflare. The same protocol with its own name: https://docs.solflare.com/solflare/technical/deeplinks/provider-methods/connect
 * and the pages beside it.
 */
export function solflare(options?: DeepLinkWalletOptions): DeepLinkWallet {
  return {
    ...wallet('solflare', 'Solflare', 'solflare.com', '#c40'),
    signMessageDelay: SOLFLARE_SIGN_MESSAGE_DELAY_MS,
    ...options,
  }
}
