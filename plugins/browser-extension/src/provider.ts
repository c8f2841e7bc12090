/**
 * The Solana provider that wallets inject; Phantom's, which the others copied.
 * https://docs.phantom.com/solana/establishing-a-connection and the pages beside it
 */
/** Any script may have put it into the page, so each member is checked before use. */
export interface InjectedProvider extends EventProvider {
  readonly publicKey?: unknown
  readonly isConnected?: unknown
  connect(options?: { readonly onlyIfTrusted: true }): unknown
  readonly disconnect?: unknown
  readonly signMessage?: unknown
  readonly signTransaction?: unknown
  readonly signAllTransactions?: unknown
  readonly signAndSendTransaction?: unknown
}
export interface EventProvider {
  readonly on?: unknown
  readonly off?: unknown
  readonly removeListener?: unknown
}

export function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === 'function'
}
/** Listens to a provider's events, where it has any. Returns unsubscribe. */
export function subscribe(
  provider: EventProvider,
  events: Readonly<Record<string, (value: unknown) => void>>,
): () => void {
  const { on } = provider
  if (!isFunction(on)) return () => {}
  const remove = isFunction(provider.off) ? provider.off : provider.removeListener
  for (const [event, listener] of Object.entries(events)) on.call(provider, event, listener)
  return () => {
    if (!isFunction(remove)) return
    for (const [event, listener] of Object.entries(events)) remove.call(provider, event, listener)
  }
}
