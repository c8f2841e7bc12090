/** Wallets as data: what they differ in. In the page's first chunk, so it is short. */
import { SOLFLARE_SIGN_MESSAGE_DELAY_MS } from '@keybay/kernel/spec'
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

function wallet(key: string, name: string, domain: string, colour: string, path: string): DeepLinkWallet {
  return {
    key,
    name,
    icon: `data:image/svg+xml;base64,${btoa(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><path fill='${colour}' d='${path}'/></svg>`)}`,
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
  return { ...wallet('phantom', 'Phantom', 'phantom.app', '#639', 'M1 7V4a3 3 0 016 0v3L5 6 4 7 3 6z'), ...options }
}
/**
 * Solflare. The same protocol with its own name: https://docs.solflare.com/solflare/technical/deeplinks/provider-methods/connect
 * and the pages beside it.
 */
export function solflare(options?: DeepLinkWalletOptions): DeepLinkWallet {
  return {
    ...wallet('solflare', 'Solflare', 'solflare.com', '#e62', 'M4 0l1 3h3L6 5l1 3-3-2-3 2 1-3-2-2h3z'),
    signMessageDelay: SOLFLARE_SIGN_MESSAGE_DELAY_MS,
    ...options,
  }
}
