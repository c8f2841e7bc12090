/** Wallet Standard's registration in both directions: an app may load before or after this page's wallets. */
import type { Wallet } from '@wallet-standard/base'

interface AppApi {
  register(wallet: Wallet): unknown
}
declare global {
  interface WindowEventMap {
    'wallet-standard:app-ready': CustomEvent<AppApi>
  }
}

/** Makes a wallet visible to every Wallet Standard app in the page, as wallet-standard's `registerWallet` does. */
export function announceWallet(wallet: Wallet): void {
  const callback = ({ register }: AppApi) => register(wallet)
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  addEventListener('wallet-standard:app-ready', ({ detail }) => callback(detail))
}
