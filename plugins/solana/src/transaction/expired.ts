import type { KeybayError } from '@keybay/kernel'
import { transactionTimedOut } from '@keybay/kernel/spec'
import { fault } from '../fault.js'

/** What became of a transaction that can no longer land. */
export function expired(signature: string): KeybayError {
  return fault(transactionTimedOut, {
    details: { signature, state: 'expired', reason: 'its blockhash expired; it can no longer land' },
  })
}
