/** What the Acme Name wallet offers to a page. Replace this with what yours really offers. */
import type { Account } from '@keybay/kernel'

export interface AcmeNameAccount {
  /** base58 */
  readonly address: string
  /** 32 bytes */
  readonly publicKey: Account['walletAccount']['publicKey']
}
export interface AcmeNameProvider {
  /** With `silent`, an account only if this page was allowed before; never a window. Rejects when the user refuses. */
  connect(options: { readonly silent: boolean }): Promise<AcmeNameAccount>
  disconnect(): Promise<void>
  /** An Ed25519 signature, 64 bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>
  /** Another account, or none, is in use now. Returns unsubscribe. */
  onChange(listener: (account: AcmeNameAccount | undefined) => void): () => void
}

/** The window event by which the wallet says that it has come, when it comes after the page. */
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

/** The wallet of this page, if it is there by now. */
export function findProvider(): AcmeNameProvider | undefined {
  const found: unknown = Reflect.get(globalThis, 'acmeName')
  return isProvider(found) ? found : undefined
}
