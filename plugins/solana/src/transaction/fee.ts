/** Step 2: what it costs, and whether there is enough, before anything is signed. */
import type { Clock } from '@keybay/kernel'
import { CHAIN_TRANSPORT_BACKOFF_MS, FEE_LOOKUP_TRIES, insufficientFunds } from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { solText } from '../decimal.js'
import { destinationNeedsRent, feeUnknown } from '../errors.js'
import { fault } from '../fault.js'
import { getFeeForMessage, getLamports, getRentExemption } from '../rpc/calls.js'
import type { BuiltTransaction, CallOptions, PricedTransaction } from '../steps.js'
import { sleep } from '../timing.js'
import { readTransaction } from './wire.js'

/** Five tries while the chain names none (S9.2). @throws KeybayError `fee_unknown` */
const lookUpFee = async (
  { rpc }: Client,
  built: BuiltTransaction,
  clock: Clock,
  { signal }: CallOptions,
): Promise<bigint> => {
  const { message } = readTransaction(built.transaction)
  for (let turn = 0; turn < FEE_LOOKUP_TRIES; turn++) {
    if (turn) await sleep(clock, CHAIN_TRANSPORT_BACKOFF_MS * 2 ** (turn - 1), signal)
    const fee = await getFeeForMessage(rpc, message, 'confirmed', { signal })
    if (fee !== undefined) return fee
  }
  throw fault(feeUnknown)
}

/**
 * @throws KeybayError `insufficient_funds`: less than amount and fee, or a rest too small to be kept by the chain;
 *   `destination_needs_rent`: a new account receives too little. Amounts in `details` are lamports as decimal text.
 */
const checkFunds = async (
  { rpc }: Client,
  { from, transfer }: BuiltTransaction,
  fee: bigint,
  { signal }: CallOptions,
): Promise<void> => {
  const { to, lamports } = transfer ?? { to: from, lamports: 0n }
  const [balance = 0n, destination] = await getLamports(rpc, [from, to], 'confirmed', { signal })
  const needed = lamports + fee
  if (balance < needed) {
    const reason = `${solText(balance)} SOL is less than ${solText(needed)} SOL with the fee`
    const details = { reason, balance: String(balance), needed: String(needed), fee: String(fee) }
    throw fault(insufficientFunds, { details })
  }
  const rest = balance - needed
  if (!transfer || to === from || (destination !== undefined && rest === 0n)) return
  const rent = await getRentExemption(rpc, { signal })
  if (destination === undefined && lamports < rent) {
    const detail = `at least ${solText(rent)} SOL`
    throw fault(destinationNeedsRent, { detail, details: { needed: String(rent) } })
  }
  if (rest > 0n && rest < rent) {
    const reason = `an account keeps either nothing or at least ${solText(rent)} SOL`
    const details = { reason, balance: String(balance), needed: String(needed + rent), fee: String(fee) }
    throw fault(insufficientFunds, { details })
  }
}

export const priceTransaction = async (
  client: Client,
  built: BuiltTransaction,
  clock: Clock,
  options: CallOptions,
): Promise<PricedTransaction> => {
  const fee = await lookUpFee(client, built, clock, options)
  await checkFunds(client, built, fee, options)
  return { ...built, fee }
}
