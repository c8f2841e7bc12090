/**
 * Registers with Wallet Standard, whether wallet or app loads first. The standard's own `registerWallet` cannot
 * unregister, and the kit must notice a wallet that leaves the page.
 */

interface RegisterApi {
  register(...wallets: readonly unknown[]): () => void
}

function isRegisterApi(value: unknown): value is RegisterApi {
  return typeof value === 'object' && value !== null && 'register' in value && typeof value.register === 'function'
}

/**
 * Announces a wallet to every app in the page.
 *
 * @param wallet anything: some hostile fixtures are not wallets
 * @returns a function that removes the wallet from every app that received it
 */
export function announce(wallet: unknown): () => void {
  const leave = new Set<() => void>()
  const callback = (api: unknown) => {
    if (!isRegisterApi(api)) return
    const unregister = api.register(wallet)
    if (typeof unregister === 'function') leave.add(unregister)
  }
  const ready = (event: Event) => callback(event instanceof CustomEvent || 'detail' in event ? event.detail : undefined)
  addEventListener('wallet-standard:app-ready', ready)
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  return () => {
    removeEventListener('wallet-standard:app-ready', ready)
    for (const unregister of leave) unregister()
    leave.clear()
  }
}
