/** Waits until a transaction is in a block (S9.10). */
import type { Clock } from '@keybay/kernel'
import {
  field,
  KeybayError,
  TRANSACTION_RECEIPT_WAIT_MS,
  toKeybayError,
  transactionFailed,
  transactionTimedOut,
} from '@keybay/kernel/spec'
import type { EvmReceipt, Hex } from './features.js'

/** A block takes from 250 ms to 12 s, by chain. */
const POLL_INTERVAL_MS = 1000

function isReceipt(value: unknown, hash: Hex): value is EvmReceipt {
  return (
    String(field(value, 'transactionHash')).toLowerCase() === hash.toLowerCase() &&
    /^0x[0-9a-f]+$/i.test(String(field(value, 'blockNumber')))
  )
}
/** @throws KeybayError `transaction_timed_out`, `transaction_failed`, `aborted` */
export function waitForReceipt({
  hash,
  request,
  clock,
  connectorId,
  signal,
}: {
  readonly hash: Hex
  readonly request: (method: string, params: unknown) => Promise<unknown>
  readonly clock: Clock
  readonly connectorId: string
  readonly signal: AbortSignal | undefined
}): Promise<EvmReceipt> {
  const facts = { connectorId, details: { hash } }
  return new Promise((resolve, reject) => {
    let cancelPoll = () => {}
    let ended = false
    const end = (settle: () => void) => {
      ended = true
      cancelPoll()
      cancelTimeout()
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const abort = () => end(() => reject(toKeybayError(signal?.reason, connectorId)))
    const poll = async () => {
      // A node that does not respond now may respond to the next poll.
      const receipt = await request('eth_getTransactionReceipt', [hash]).catch(() => null)
      if (ended) return
      if (!isReceipt(receipt, hash)) cancelPoll = clock.after(POLL_INTERVAL_MS, poll)
      else if (receipt.status === '0x0') end(() => reject(new KeybayError(transactionFailed, facts)))
      else end(() => resolve(receipt))
    }
    const cancelTimeout = clock.after(TRANSACTION_RECEIPT_WAIT_MS, () =>
      end(() => reject(new KeybayError(transactionTimedOut, facts))),
    )
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    else void poll()
  })
}
