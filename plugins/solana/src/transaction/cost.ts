/**
 * Cost data from the simulation, which saves further requests. Keyed by the bytes: replacements from the app or the product API
 * need new requests.
 */
import type { SimulationAnswer } from '../rpc/calls.js'
import { readTransaction } from './wire.js'

/** In lamports: cost of each additional signature, if the chain just charged that much per signature. */
const PER_SIGNATURE = 5000n

export interface Cost {
  /** Fee in lamports, including the priority fee; undefined if the node did not return it. */
  readonly fee: bigint | undefined
  /** Priority fee that the payer adds, in lamports; the simulation ran without it. */
  readonly priority: bigint
  /** Lowest balance of the payer after the priority fee, in lamports; undefined if the node did not return it. */
  readonly left: bigint | undefined
}

const costs = new WeakMap<Uint8Array, Cost>()

export function getCost(transaction: Uint8Array): Cost | undefined {
  return costs.get(transaction)
}

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
