/**
 * What wallets inject for Solana, as Phantom first had it and the others took it over.
 * https://docs.phantom.com/solana/establishing-a-connection and the pages beside it
 */
/** Whatever a page or an extension put there: each member is looked at before it is used. */
export interface InjectedProvider {
  readonly publicKey?: unknown
  readonly isConnected?: unknown
  connect(options?: { readonly onlyIfTrusted: true }): unknown
  readonly disconnect?: unknown
  readonly signMessage?: unknown
  readonly signTransaction?: unknown
  readonly signAllTransactions?: unknown
  readonly signAndSendTransaction?: unknown
  readonly on?: unknown
  readonly off?: unknown
  readonly removeListener?: unknown
}

export function isProvider(value: unknown): value is InjectedProvider {
  return typeof value === 'object' && value !== null && 'connect' in value && typeof value.connect === 'function'
}
