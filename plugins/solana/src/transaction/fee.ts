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
import { getFeeForMessage, getLamports, getRentExemption, type SimulationAnswer } from '../rpc/calls.js'
import type { BuiltTransaction, CallOptions, DecodedFailure, PricedTransaction } from '../steps.js'
import { sleep } from '../timing.js'
import { readTransaction } from './wire.js'

/** In lamports: cost of each additional signature, if the chain just charged that much per signature. */
const PER_SIGNATURE = 5000n

interface Cost {
  /** Fee in lamports, including the priority fee; undefined if the node did not return it. */
  readonly fee: bigint | undefined
  /** Priority fee that the payer adds, in lamports; the simulation ran without it. */
  readonly priority: bigint
  /** Lowest balance of the payer after the priority fee, in lamports; undefined if the node did not return it. */
  readonly left: bigint | undefined
}

/**
 * Costs from the simulation, which save further requests. Keyed by the bytes: replacements from the app or the product API need new
 * requests.
 */
const costs = new WeakMap<Uint8Array, Cost>()

/** The fee is deducted before the instructions run, and only they can add funds. */
function getLeast({ before, after }: NonNullable<SimulationAnswer['payer']>, fee: bigint): bigint {
  const first = before - fee
  return first < after ? first : after
}
/** @param priority of the transaction, lamports */
export function noteCost(transaction: Uint8Array, { failure, fee, payer }: SimulationAnswer, priority: bigint): void {
  if (failure !== null) return
  costs.set(transaction, {
    fee: fee === undefined ? undefined : fee + priority,
    priority,
    left: fee === undefined || !payer ? undefined : getLeast(payer, fee) - priority,
  })
}
/**
 * Carries the cost over to bytes with the same instructions, except for their compute budget and payer.
 * @param priority cost of the budget, in lamports; undefined: only the chain knows
 * @returns false if the fee must be requested
 */
export function carryCost(from: Uint8Array, to: Uint8Array, priority: bigint | undefined): boolean {
  const cost = costs.get(from)
  if (cost?.fee === undefined || priority === undefined) return false
  const [{ signers: before }, { signers: after }] = [readTransaction(from), readTransaction(to)]
  const base = cost.fee - cost.priority
  const more = BigInt(after.length - before.length)
  if (more && base !== PER_SIGNATURE * BigInt(before.length)) return false
  const fee = base + more * PER_SIGNATURE + priority
  if (after[0] !== before[0])
    costs.set(to, { fee, priority: 0n, left: undefined }) // Another account pays now.
  else
    costs.set(to, { fee, priority, left: cost.left === undefined ? undefined : cost.left + cost.priority - priority })
  return true
}

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
  const cost = costs.get(built.transaction)
  const fee = cost?.fee ?? (await lookUpFee(client, message, clock, options))
  const { trial } = built
  // A successful simulation has just proved sufficient funds.
  if (trial && !trial.failure && (!cost || isCovered(cost))) return { ...built, fee }
  await checkFunds(client, built, signers[0] ?? built.from, fee, options)
  if (trial?.failure) throw refusal(trial.failure, trial.logs, fee)
  if (cost) await checkRest(client, cost, fee, options)
  return { ...built, fee }
}
