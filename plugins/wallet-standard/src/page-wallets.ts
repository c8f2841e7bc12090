/**
 * The app's side of Wallet Standard's registration (https://github.com/wallet-standard/wallet-standard).
 * Written here rather than taken from `@wallet-standard/app`: that library keeps its listener and its wallets for the life of
 * the page, so an instance could not let go of them, and it is 0.6 KiB of the 9 that a whole app may take.
 * A test runs both side by side.
 */
import type { Wallet } from '@wallet-standard/base'

interface Listeners {
  added(wallet: Wallet): void
  removed(wallet: Wallet): void
}
type Register = (...wallets: readonly Wallet[]) => () => void
type Callback = (api: { readonly register: Register }) => void

/** A wallet's script dispatches the event, so what it carries is checked. */
const callbackOf = (event: Event): Callback | undefined => {
  const detail: unknown = Reflect.get(event, 'detail')
  const isCallback = (value: unknown): value is Callback => typeof value === 'function'
  return isCallback(detail) ? detail : undefined
}

/** Every wallet that is there registers at once, and every later one when it comes. Returns stop. */
export const openRegistration = ({ added, removed }: Listeners): (() => void) => {
  const known = new Set<Wallet>()
  let open = true
  const register: Register = (...wallets) => {
    // A wallet may have kept the API longer than we listen.
    const fresh = wallets.filter(wallet => open && !known.has(wallet))
    for (const wallet of fresh) {
      known.add(wallet)
      added(wallet)
    }
    return () => {
      for (const wallet of fresh) if (known.delete(wallet)) removed(wallet)
    }
  }
  const api = Object.freeze({ register })
  // A wallet that throws here is reported by the browser and stops nobody: dispatching an event does not throw.
  const hear = (event: Event) => callbackOf(event)?.(api)
  window.addEventListener('wallet-standard:register-wallet', hear)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => {
    open = false
    window.removeEventListener('wallet-standard:register-wallet', hear)
  }
}
