/** Step 4: a node takes the signed bytes. They may be handed in again without harm: the chain runs them once. */
import type { Clock } from '@keybay/kernel'
import {
  CHAIN_TRANSPORT_BACKOFF_MS,
  CHAIN_TRANSPORT_RETRIES,
  invalidTransaction,
  transactionFailed,
} from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { rpcRefused } from '../errors.js'
import { fault, toFault } from '../fault.js'
import { getBlockHeight, sendRawTransaction } from '../rpc/calls.js'
import { at } from '../rpc/read.js'
import type { ConfirmOptions, SignedTransaction } from '../steps.js'
import { sleep } from '../timing.js'
import { expired } from './expired.js'
import { reasonOf } from './reason.js'
import { readTransaction } from './wire.js'

/** The JSON-RPC codes of Solana's nodes (rpc-client-api, custom_error.rs). */
const PREFLIGHT_FAILED = -32002
const SIGNATURE_WRONG = -32003
const PARAMETERS_WRONG = -32602

/**
 * @throws KeybayError `transaction_failed` (a trial run failed; nothing was sent), `transaction_timed_out` (its blockhash
 *   expired), `invalid_transaction`, `rpc_unreachable` (a node may have it all the same: confirm to know)
 */
export const submitTransaction = async (
  { rpc }: Client,
  { signature, transaction, lastValidBlockHeight }: SignedTransaction,
  clock: Clock,
  { commitment = 'confirmed', signal }: ConfirmOptions,
): Promise<string> => {
  for (let turn = 0; ; turn++) {
    try {
      await sendRawTransaction(rpc, transaction, commitment, { signal })
      return signature
    } catch (thrown) {
      const error = toFault(thrown)
      if (error.code !== rpcRefused.code) throw error
      const [code, data] = [at(error.details, 'code'), at(error.details, 'data')]
      if (code === SIGNATURE_WRONG || code === PARAMETERS_WRONG)
        throw fault(invalidTransaction, { cause: error, details: { signature, reason: error.message } })
      if (code !== PREFLIGHT_FAILED) throw error
      const failure = at(data, 'err')
      if (failure === 'AlreadyProcessed') return signature
      if (failure === 'BlockhashNotFound') {
        // Too old, or the node has not caught up with the one that gave it.
        if (lastValidBlockHeight !== undefined) {
          const height = await getBlockHeight(rpc, 'confirmed', { signal })
          if (height > lastValidBlockHeight) throw expired(signature)
        }
        if (turn < CHAIN_TRANSPORT_RETRIES) {
          await sleep(clock, CHAIN_TRANSPORT_BACKOFF_MS * 2 ** turn, signal)
          continue
        }
      }
      const reason = reasonOf(failure, readTransaction(transaction).programs)
      throw fault(transactionFailed, {
        cause: error,
        details: { signature, reason, failure, logs: at(data, 'logs') },
      })
    }
  }
}
