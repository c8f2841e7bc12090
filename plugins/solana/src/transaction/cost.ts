/**
 * What the trial run has told of the cost, so that nobody has to ask for it. Kept by the bytes themselves: those that a
 * host or the product API puts in their place are asked about.
 */
import type { SimulationAnswer } from '../rpc/calls.js'
import { readTransaction } from './wire.js'

/** lamports; where the chain has just taken as much for each signature, it takes it for one more. */
const PER_SIGNATURE = 5000n

export interface Cost {
  /** lamports, the priority fee among them; undefined: the node has not said. */
  readonly fee: bigint | undefined
  /** What the payer of the trial run pays on top, lamports: the run did without. */
  readonly priority: bigint
  /** What the payer has left of the priority fee, where it has least; undefined: the node has not said. */
  readonly left: bigint | undefined
}

const costs = new WeakMap<Uint8Array, Cost>()

export function costOf(transaction: Uint8Array): Cost | undefined {
  return costs.get(transaction)
}

/** Before the instructions run the fee is gone, and only they may bring something in. */
function leastOf({ before, after }: NonNullable<SimulationAnswer['payer']>, fee: bigint): bigint {
  const first = before - fee
  return first < after ? first : after
}

/** @param priority of the transaction, lamports */
export function noteCost(transaction: Uint8Array, { failure, fee, payer }: SimulationAnswer, priority: bigint): void {
  if (failure !== null) return
  costs.set(transaction, {
    fee: fee === undefined ? undefined : fee + priority,
    priority,
    left: fee === undefined || !payer ? undefined : leastOf(payer, fee) - priority,
  })
}

/**
 * To other bytes of the same instructions, but for their compute budget and who pays.
 *
 * @param priority what the budget costs, lamports; undefined: only the chain can say
 * @returns false: it must be asked
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
    costs.set(to, { fee, priority: 0n, left: undefined }) // somebody else's to have
  else
    costs.set(to, { fee, priority, left: cost.left === undefined ? undefined : cost.left + cost.priority - priority })
  return true
}
