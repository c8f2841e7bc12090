/** Step 4: sends the signed bytes to a node. Resending is safe, because the chain executes them once. */
import type { Clock } from '@keybay/kernel'
import {
  CHAIN_TRANSPORT_BACKOFF_MS,
  CHAIN_TRANSPORT_RETRIES,
  invalidTransaction,
  KeybayError,
  toKeybayError,
  transactionFailed,
} from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { rpcRefused, rpcUnreachable } from '../errors.js'
import { isPassing } from '../rpc/http.js'
import { at, toLines } from '../rpc/read.js'
import { getBlockHeight, sendRawTransaction } from '../rpc/sent.js'
import type { SignedTransaction, SubmitOptions } from '../steps.js'
import { sleep, throwIfAborted } from '../timing.js'
import { createExpiredError, decodeFailure } from './reason.js'
import { readTransaction } from './wire.js'

/** JSON-RPC codes of Solana's nodes (rpc-client-api, custom_error.rs). */
const PREFLIGHT_FAILED = -32002
const SIGNATURE_WRONG = -32003
const PARAMETERS_WRONG = -32602
const TOO_OLD = 'BlockhashNotFound'

/** Maps a node's rejection to an error; undefined if the node does not know the blockhash, which is expired or too new. */
function definite(error: KeybayError, { signature, transaction }: SignedTransaction): KeybayError | undefined {
  const [code, data] = [at(error.details, 'code'), at(error.details, 'data')]
  if (code === SIGNATURE_WRONG || code === PARAMETERS_WRONG)
    return new KeybayError(invalidTransaction, { cause: error, details: { signature, reason: error.message } })
  if (code !== PREFLIGHT_FAILED) return error
  const failure = at(data, 'err')
  if (failure === TOO_OLD) return undefined
  const logs = toLines(at(data, 'logs'))
  const decoded = decodeFailure(failure, readTransaction(transaction).programs, logs)
  return new KeybayError(transactionFailed, { cause: error, details: { signature, ...decoded, logs } })
}
/**
 * Four tries, each on the next node.
 * @throws KeybayError `transaction_failed` (a simulation failed), `transaction_timed_out` (its blockhash expired),
 * `invalid_transaction`: no node accepted the transaction. `rpc_unreachable`: a node may have accepted it, so confirm to find out
 */
export async function submitTransaction(
  { rpc }: Client,
  signed: SignedTransaction,
  clock: Clock,
  { commitment = 'confirmed', preflight = true, signal }: SubmitOptions,
): Promise<string> {
  const { signature, transaction, lastValidBlockHeight } = signed
  /** A node may have accepted it without a response: from then on, no rejection proves that it will not land. */
  let uncertain = false
  for (let turn = 0; ; turn++) {
    const error = await sendRawTransaction(rpc, transaction, commitment, {
      signal,
      skipPreflight: !preflight,
      once: true,
      skip: turn,
    }).then(
      () => undefined,
      thrown => toKeybayError(thrown),
    )
    if (!error || at(error.details, 'data', 'err') === 'AlreadyProcessed') return signature
    throwIfAborted(signal)
    const isLast = turn >= CHAIN_TRANSPORT_RETRIES
    if (error.code !== rpcRefused.code) uncertain = true
    else if (!isPassing(error)) {
      const end = definite(error, signed)
      if (end && !uncertain) throw end
      if (!end && isLast && !uncertain) {
        const height = lastValidBlockHeight && (await getBlockHeight(rpc, { signal }))
        if (height && height > lastValidBlockHeight) throw createExpiredError(signature)
        const decoded = decodeFailure(TOO_OLD)
        throw new KeybayError(transactionFailed, { cause: error, details: { signature, ...decoded } })
      }
    }
    if (isLast) throw new KeybayError(rpcUnreachable, { cause: error })
    await sleep(clock, CHAIN_TRANSPORT_BACKOFF_MS * 2 ** turn, signal)
  }
}
