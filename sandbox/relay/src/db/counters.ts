/**
 * Usage of a set: signatures in the minute, and amounts by the hour, so that "24 hours" is never shorter. What the
 * user's own sets spend is counted in their wallet.
 */
import { type Amounts, SOL } from '../policy/index.js'

export interface Counters {
  /** Minute since epoch that `count` refers to. */
  readonly minute: number
  readonly count: number
  /** Hour since epoch → lamports, decimal. Of a token: the hour, a space and the mint → its smallest unit. */
  readonly spent: Readonly<Record<string, string>>
}
export const noCounters: Counters = { minute: 0, count: 0, spent: {} }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Current hour and the 24 before it. */
const HOURS = 25

function recent({ spent }: Counters, now: number): [string, string][] {
  const oldest = Math.floor(now / HOUR) - HOURS + 1
  return Object.entries(spent).filter(([key]) => Number.parseInt(key, 10) >= oldest)
}

function getKey(hour: string, asset: string): string {
  return asset === SOL ? hour : `${hour} ${asset}`
}

/** Returns the amount of an asset in the last 24 hours (up to 59 minutes more). */
export function getSpent(counters: Counters, now: number, asset: string): bigint {
  return recent(counters, now)
    .filter(([key]) => key === getKey(key.split(' ')[0] ?? '', asset))
    .reduce((sum, [, amount]) => sum + BigInt(amount), 0n)
}

/** Returns the seconds to wait when this minute's limit is used up. */
export function getWait({ minute, count }: Counters, now: number, most: number): number | undefined {
  return minute === Math.floor(now / MINUTE) && count >= most
    ? Math.ceil(((minute + 1) * MINUTE - now) / 1000)
    : undefined
}

export function countOne(counters: Counters, now: number, amounts: Amounts): Counters {
  const minute = Math.floor(now / MINUTE)
  const count = minute === counters.minute ? counters.count + 1 : 1
  const added = [...amounts].filter(([, amount]) => amount > 0n)
  if (added.length === 0) return { minute, count, spent: counters.spent }
  const spent = Object.fromEntries(recent(counters, now))
  const hour = String(Math.floor(now / HOUR))
  for (const [asset, amount] of added) {
    const key = getKey(hour, asset)
    spent[key] = (BigInt(spent[key] ?? 0) + amount).toString()
  }
  return { minute, count, spent }
}
