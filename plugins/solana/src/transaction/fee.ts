/** Step 2: determines the fee and checks the balance before signing. */
import type { Clock } from '@keybay/kernel'
import {
  CHAIN_TRANSPORT_BACKOFF_MS,
  FEE_LOOKUP_TRIES,
  insufficientFunds,
  KeybayError,
  transactionFailed,
} from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { solText } from '../decimal.js'
import { destinationNeedsRent, feeUnknown } from '../errors.js'
import { getFeeForMessage, getLamports, getRentExemption } from '../rpc/calls.js'
import type { BuiltTransaction, CallOptions, DecodedFailure, PricedTransaction } from '../steps.js'
import { sleep } from '../timing.js'
import { type Cost, getCost } from './cost.js'
import { readTransaction } from './wire.js'

/** Tries five times while the chain returns no fee (S9.2). @throws KeybayError `fee_unknown` */
async function lookUpFee({ rpc }: Client, message: Uint8Array, clock: Clock, { signal }: CallOptions): Promise<bigint> {
  for (let turn = 0; turn < FEE_LOOKUP_TRIES; turn++) {
    if (turn) await sleep(clock, CHAIN_TRANSPORT_BACKOFF_MS * 2 ** (turn - 1), signal)
    const fee = await getFeeForMessage(rpc, message, { signal })
    if (fee !== undefined) return fee
  }
  throw new KeybayError(feeUnknown)
}

function tooLittle(rent: bigint) {
  return `an account keeps either nothing or at least ${solText(rent)} SOL`
}

/**
 * @throws KeybayError `insufficient_funds`: less than amount and fee, or a remainder below the rent exemption;
 * `destination_needs_rent`: a new account receives too little. Amounts in `details` are lamports as decimal text.
 */
async function checkFunds(
  { rpc }: Client,
  { from, transfers = [] }: BuiltTransaction,
  payer: string,
  fee: bigint,
  { signal }: CallOptions,
): Promise<void> {
  const moved = transfers.filter(({ token, to }) => !token && to !== from)
  const sent = transfers.reduce((sum, { token, amount }) => (token ? sum : sum + amount), 0n)
  const balances = await getLamports(rpc, [payer, from, ...moved.map(({ to }) => to)], { signal })
  const payers =
    payer === from
      ? [{ balance: balances[0] ?? 0n, needed: sent + fee }]
      : [
          { balance: balances[0] ?? 0n, needed: fee },
          { balance: balances[1] ?? 0n, needed: sent },
        ]
  for (const { balance, needed } of payers)
    if (balance < needed) {
      const reason = `${solText(balance)} SOL is less than ${solText(needed)} SOL with the fee`
      const details = { reason, balance: String(balance), needed: String(needed), fee: String(fee) }
      throw new KeybayError(insufficientFunds, { details })
    }
  const leaves = payers.filter(({ balance, needed }) => balance > needed && needed)
  const isNew = moved.map((_, index) => balances[index + 2] === undefined)
  if (!moved.length || !(leaves.length || isNew.includes(true))) return
  const rent = await getRentExemption(rpc, { signal })
  if (moved.some(({ amount }, index) => isNew[index] && amount < rent)) {
    const detail = `at least ${solText(rent)} SOL`
    throw new KeybayError(destinationNeedsRent, { detail, details: { needed: String(rent) } })
  }
  for (const { balance, needed } of leaves)
    if (balance - needed < rent) {
      const details = {
        reason: tooLittle(rent),
        balance: String(balance),
        needed: String(needed + rent),
        fee: String(fee),
      }
      throw new KeybayError(insufficientFunds, { details })
    }
}

/** The chain's errors for insufficient SOL. */
const SHORT = ['InsufficientFundsForFee', 'InsufficientFundsForRent', 'AccountNotFound', 'ResultWithNegativeLamports']

/** Creates the error for a failed simulation. */
function refusal({ reason, failure, program, name }: DecodedFailure, logs: readonly string[], fee: bigint) {
  const spec = SHORT.includes(name ?? '') ? insufficientFunds : transactionFailed
  return new KeybayError(spec, { details: { reason, failure, program, name, logs, fee: String(fee) } })
}

/** In lamports; exceeds the minimum balance of any paying account, so a higher remainder needs no further check. */
const PLENTY = 2_000_000n

/** Returns true if a successful simulation proves sufficient funds, although it paid no priority fee. */
function isCovered({ priority, left }: Cost): boolean {
  return priority === 0n || (left !== undefined && left >= PLENTY)
}

/** Checks the balance that remains after the priority fee. @throws KeybayError `insufficient_funds` */
async function checkRest({ rpc }: Client, { priority, left }: Cost, fee: bigint, { signal }: CallOptions) {
  if (left === undefined || left === 0n) return
  const rent = left < 0n ? 0n : await getRentExemption(rpc, { signal })
  if (left >= rent) return
  const short = `${solText(priority + left)} SOL is less than the ${solText(priority)} SOL of the priority fee`
  throw new KeybayError(insufficientFunds, {
    details: { reason: left < 0n ? short : tooLittle(rent), fee: String(fee) },
  })
}

/** @throws KeybayError `fee_unknown`, `insufficient_funds`, `destination_needs_rent`, `transaction_failed` */
export async function priceTransaction(
  client: Client,
  built: BuiltTransaction,
  clock: Clock,
  options: CallOptions,
): Promise<PricedTransaction> {
  const { message, signers } = readTransaction(built.transaction)
  const cost = getCost(built.transaction)
  const fee = cost?.fee ?? (await lookUpFee(client, message, clock, options))
  const { trial } = built
  // A successful simulation has just proved sufficient funds.
  if (trial && !trial.failure && (!cost || isCovered(cost))) return { ...built, fee }
  await checkFunds(client, built, signers[0] ?? built.from, fee, options)
  if (trial?.failure) throw refusal(trial.failure, trial.logs, fee)
  if (cost) await checkRest(client, cost, fee, options)
  return { ...built, fee }
}
