/**
 * Wallet Standard's registration, for whichever of wallet and app came first. The standard's own `registerWallet` gives
 * no way back, and a wallet that leaves the page is something the kit must notice.
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
 * @param wallet anything: the hostile fixtures are no wallets at all
 * @returns takes it back from every app that it reached
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
