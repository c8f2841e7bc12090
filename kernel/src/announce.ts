/** Wallet Standard's registration, both ways round: the page may have loaded before or after us. */
import type { Wallet } from '@wallet-standard/base'

type Register = (api: { register(wallet: Wallet): unknown }) => void

/** Makes a wallet visible to every Wallet Standard app in the page. Source: wallet-standard, `registerWallet`. */
export const announceWallet = (wallet: Wallet): void => {
  const callback: Register = ({ register }) => {
    register(wallet)
  }
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  window.addEventListener('wallet-standard:app-ready', event => {
    if ('detail' in event) callback(event.detail as Parameters<Register>[0])
  })
}
