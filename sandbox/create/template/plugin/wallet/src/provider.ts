/** Interface of the Acme Name wallet in a page. Replace it with your wallet's real interface. */
import type { Account } from '@keybay/kernel'

export interface AcmeNameAccount {
  /** base58 */
  readonly address: string
  /** 32 bytes */
  readonly publicKey: Account['walletAccount']['publicKey']
}
export interface AcmeNameProvider {
  /**
   * With `silent`, returns an account only if this page was allowed before, without a window. Rejects when the user
   * refuses.
   */
  connect(options: { readonly silent: boolean }): Promise<AcmeNameAccount>
  disconnect(): Promise<void>
  /** Returns an Ed25519 signature, 64 bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>
  /** Reports that another account, or none, is now active. Returns unsubscribe. */
  onChange(listener: (account: AcmeNameAccount | undefined) => void): () => void
}

/** Window event that a wallet emits when it loads after the page. */
export const INJECTED_EVENT = 'acme-name#initialized'

function isProvider(value: unknown): value is AcmeNameProvider {
  return (
    typeof value === 'object' &&
    value !== null &&
    'connect' in value &&
    typeof value.connect === 'function' &&
    'signMessage' in value &&
    typeof value.signMessage === 'function'
  )
}

/** Returns the wallet of this page, if it has loaded. */
export function findProvider(): AcmeNameProvider | undefined {
  const injected: unknown = Reflect.get(globalThis, 'acmeName')
  return isProvider(injected) ? injected : undefined
}
