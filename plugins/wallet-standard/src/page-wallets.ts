/**
 * The app's side of Wallet Standard's registration (https://github.com/wallet-standard/wallet-standard).
 * Written here rather than taken from `@wallet-standard/app`: that library keeps its listener and its wallets for the life of
 * the page, so an instance could not let go of them, and it is 0.6 KiB of the 9 that a whole app may take.
 * A test runs both side by side.
 */
import type { Wallet } from '@wallet-standard/base'

interface Listeners {
  /** @returns true when it is new */
  added(wallet: Wallet): true | undefined
  removed(wallet: Wallet): void
}
type Register = (...wallets: readonly Wallet[]) => () => void
type Callback = (api: { readonly register: Register }) => void

/** Every wallet that is there registers at once, and every later one when it comes. Returns stop. */
export function openRegistration({ added, removed }: Listeners): () => void {
  let open = true
  const register: Register = (...wallets) => {
    // A wallet may have kept the API longer than we listen.
    const fresh = wallets.filter(wallet => open && added(wallet))
    return () => fresh.forEach(removed)
  }
  const api = Object.freeze({ register })
  // A wallet that throws here, or brings no function, is reported by the browser and stops nobody: dispatching does not throw.
  const hear = (event: Event) => (event as CustomEvent<Callback>).detail(api)
  window.addEventListener('wallet-standard:register-wallet', hear)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => {
    open = false
    window.removeEventListener('wallet-standard:register-wallet', hear)
  }
}
