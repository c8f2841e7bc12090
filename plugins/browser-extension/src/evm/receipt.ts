/** From a transaction's hash to its place in a block (S9.10). */
import type { Clock } from '@keybay/kernel'
import { TRANSACTION_RECEIPT_WAIT_MS, transactionFailed, transactionTimedOut } from '@keybay/kernel/spec'
import type { Faults } from '../faults.js'
import type { EvmReceipt, Hex } from './features.js'

/** Between two looks, ms: a block takes from 250 ms to 12 s, by chain. */
const LOOK_MS = 1000

function isReceipt(value: unknown, hash: Hex): value is EvmReceipt {
  const { transactionHash, blockNumber } = Object(value)
  return String(transactionHash).toLowerCase() === hash.toLowerCase() && /^0x[0-9a-f]+$/i.test(blockNumber)
}

/** @throws KeybayError `transaction_timed_out`, `transaction_failed`, `aborted` */
export function waitForReceipt({
  hash,
  ask,
  clock,
  faults,
  signal,
}: {
  readonly hash: Hex
  readonly ask: (method: string, params: unknown) => Promise<unknown>
  readonly clock: Clock
  readonly faults: Faults
  readonly signal: AbortSignal | undefined
}): Promise<EvmReceipt> {
  const details = { hash }
  return new Promise((resolve, reject) => {
    let stopLook = () => {}
    let over = false
    const end = (settle: () => void) => {
      over = true
      stopLook()
      stopWait()
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const abort = () => end(() => reject(faults.from(signal?.reason)))
    const look = async () => {
      // A node that does not answer now may answer the next time.
      const answer = await ask('eth_getTransactionReceipt', [hash]).catch(() => null)
      if (over) return
      if (!isReceipt(answer, hash)) stopLook = clock.after(LOOK_MS, look)
      else if (answer.status === '0x0') end(() => reject(faults.of(transactionFailed, { details })))
      else end(() => resolve(answer))
    }
    const stopWait = clock.after(TRANSACTION_RECEIPT_WAIT_MS, () =>
      end(() => reject(faults.of(transactionTimedOut, { details }))),
    )
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    else void look()
  })
}
