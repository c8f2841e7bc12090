/** What is paid on top, from what others paid of late where the same accounts were written. */

import type { Clock } from '@keybay/kernel'
import { KeybayError } from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { amountInvalid } from '../errors.js'
import type { Instruction } from '../instruction.js'
import { getRecentPrioritizationFees } from '../rpc/calls.js'
import type { CallOptions, Priority } from '../steps.js'

const PERCENTILES = { low: 25, medium: 50, high: 75 }
/** lamports; 0.001 SOL */
const MOST_LAMPORTS = 1_000_000n
/** What a node takes in one question. */
const MOST_ADDRESSES = 128
/** A price is micro-lamports for a compute unit. */
const MICRO = 1_000_000n
/** ms in which an answer serves again: it is of 150 blocks, which take as long. What a form has shown, sending pays. */
const FRESH_MS = 60_000

interface Wanted {
  readonly percentile: number
  readonly maxLamports: bigint
}

function wantedOf(priority: Priority): Wanted | undefined {
  if (priority === 'none') return undefined
  const wanted =
    typeof priority === 'string' ? { percentile: PERCENTILES[priority], maxLamports: MOST_LAMPORTS } : priority
  const { percentile, maxLamports } = wanted
  if (!(percentile >= 0 && percentile <= 100) || maxLamports < 0n) throw new KeybayError(amountInvalid)
  return wanted
}

/** The smallest that is at least as large as so many per cent of them. @example percentileOf([1n, 9n], 50) // 1n */
export function percentileOf(values: readonly bigint[], percentile: number): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0n
}

/** What was paid of late where these were written; the same question is asked once in a minute. */
export type RecentFees = (
  client: Client,
  addresses: readonly string[],
  options: CallOptions,
) => Promise<readonly bigint[]>

interface Answer {
  readonly fees: readonly bigint[]
  /** ms */
  readonly until: number
}
/** An answer is of the nodes that gave it: their network's record is another one where a user brings a node of their own. */
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

/** Never more than the cap, whatever a node says of the market: the price for a limit, micro-lamports a unit. */
export type PriceFor = (units: number) => bigint

/** What a price for so many units comes to, lamports, rounded up as the chain does. */
export function lamportsOf(price: bigint, units: number): bigint {
  return (price * BigInt(units) + MICRO - 1n) / MICRO
}

/** Undefined: nothing on top. */
export async function lookUpPrice(
  client: Client,
  recentFees: RecentFees,
  priority: Priority,
  instructions: readonly Instruction[],
  options: CallOptions,
): Promise<PriceFor | undefined> {
  const wanted = wantedOf(priority)
  if (!wanted) return undefined
  const written = instructions.flatMap(({ accounts }) => accounts.flatMap(one => (one.writable ? one.address : [])))
  const fees = await recentFees(client, [...new Set(written)].slice(0, MOST_ADDRESSES), options)
  const price = percentileOf(fees, wanted.percentile)
  return units => {
    const most = (wanted.maxLamports * MICRO) / BigInt(units)
    return price < most ? price : most
  }
}
