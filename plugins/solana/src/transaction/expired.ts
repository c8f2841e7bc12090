import { KeybayError, transactionTimedOut } from '@keybay/kernel/spec'

/** Creates the error for a transaction that can no longer land. */
export function expired(signature: string): KeybayError {
  return new KeybayError(transactionTimedOut, {
    details: { signature, state: 'expired', reason: 'its blockhash expired; it can no longer land' },
  })
}
