/** Computes the priority fee from recent fees for the same accounts. */
import type { Clock } from '@keybay/kernel'
import { KeybayError } from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { amountInvalid } from '../errors.js'
import type { Instruction } from '../instruction.js'
import { getRecentPrioritizationFees } from '../rpc/calls.js'
import type { CallOptions, Priority } from '../steps.js'

const PERCENTILES = { low: 25, medium: 50, high: 75 }
/** In lamports; 0.001 SOL. */
const MAX_LAMPORTS = 1_000_000n
const MAX_ADDRESSES = 128
/** A price is in micro-lamports per compute unit. */
const MICRO = 1_000_000n
/** Cache lifetime in ms: a response covers 150 blocks, which take as long. Sending then charges the fee that a form showed. */
const FRESH_MS = 60_000

interface Wanted {
  readonly percentile: number
  readonly maxLamports: bigint
}

function getWanted(priority: Priority): Wanted | undefined {
  if (priority === 'none') return undefined
  const target =
    typeof priority === 'string' ? { percentile: PERCENTILES[priority], maxLamports: MAX_LAMPORTS } : priority
  const { percentile, maxLamports } = target
  if (!(percentile >= 0 && percentile <= 100) || maxLamports < 0n) throw new KeybayError(amountInvalid)
  return target
}
/**
 * Returns the smallest value that is at least as large as the given percentage of the values. @example getPercentile([1n, 9n],
 * 50) // 1n
 */
export function getPercentile(values: readonly bigint[], percentile: number): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0n
}
/** Returns recent fees for these accounts; caches each result for a minute. */
export type RecentFees = (
  client: Client,
  addresses: readonly string[],
  options: CallOptions,
) => Promise<readonly bigint[]>

interface Answer {
  readonly fees: readonly bigint[]
  /** In ms. */
  readonly until: number
}
/** Caches fees per network record, because a user's own node has a different record. */
export function createRecentFees(clock: Clock): RecentFees {
  const answers = new WeakMap<Client['record'], Map<string, Answer>>()
  return async ({ record, rpc }, addresses, options) => {
    const known = answers.get(record) ?? new Map<string, Answer>()
    answers.set(record, known)
    for (const [key, { until }] of known) if (until <= clock.now()) known.delete(key)
    const key = [...addresses].sort().join()
    const before = known.get(key)
    if (before) return before.fees
    const fees = await getRecentPrioritizationFees(rpc, addresses, options)
    known.set(key, { fees, until: clock.now() + FRESH_MS })
    return fees
  }
}
/** Returns the price for a limit in micro-lamports per unit, never above the cap, whatever fees a node reports. */
export type PriceFor = (units: number) => bigint

/** Returns the cost of a price for a number of units, in lamports, rounded up as on the chain. */
export function getLamports(price: bigint, units: number): bigint {
  return (price * BigInt(units) + MICRO - 1n) / MICRO
}
/** Undefined: no priority fee. */
export async function lookUpPrice(
  client: Client,
  recentFees: RecentFees,
  priority: Priority,
  instructions: readonly Instruction[],
  options: CallOptions,
): Promise<PriceFor | undefined> {
  const target = getWanted(priority)
  if (!target) return undefined
  const written = instructions.flatMap(({ accounts }) =>
    accounts.flatMap(account => (account.writable ? account.address : [])),
  )
  const fees = await recentFees(client, [...new Set(written)].slice(0, MAX_ADDRESSES), options)
  const price = getPercentile(fees, target.percentile)
  return units => {
    const most = (target.maxLamports * MICRO) / BigInt(units)
    return price < most ? price : most
  }
}
