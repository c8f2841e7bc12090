/**
 * Usage of a set: signatures in the minute, and lamports by the hour, so that "24 hours" is never shorter. The lamports
 * of the user's own sets are counted in their wallet.
 */

export interface Counters {
  /** Minute since epoch that `count` refers to. */
  readonly minute: number
  readonly count: number
  /** Hour since epoch → lamports, decimal. */
  readonly spent: Readonly<Record<string, string>>
}
export const noCounters: Counters = { minute: 0, count: 0, spent: {} }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Current hour and the 24 before it. */
const HOURS = 25

function recent({ spent }: Counters, now: number): [string, string][] {
  const oldest = Math.floor(now / HOUR) - HOURS + 1
  return Object.entries(spent).filter(([hour]) => Number(hour) >= oldest)
}

/** Returns the lamports of the last 24 hours (up to 59 minutes more). */
export function getSpent(counters: Counters, now: number): bigint {
  return recent(counters, now).reduce((sum, [, lamports]) => sum + BigInt(lamports), 0n)
}

/** Returns the seconds to wait when this minute's limit is used up. */
export function getWait({ minute, count }: Counters, now: number, most: number): number | undefined {
  return minute === Math.floor(now / MINUTE) && count >= most
    ? Math.ceil(((minute + 1) * MINUTE - now) / 1000)
    : undefined
}

export function countOne(counters: Counters, now: number, lamports: bigint): Counters {
  const minute = Math.floor(now / MINUTE)
  const count = minute === counters.minute ? counters.count + 1 : 1
  if (lamports === 0n) return { minute, count, spent: counters.spent }
  const spent = Object.fromEntries(recent(counters, now))
  const hour = String(Math.floor(now / HOUR))
  return { minute, count, spent: { ...spent, [hour]: (BigInt(spent[hour] ?? 0) + lamports).toString() } }
}
