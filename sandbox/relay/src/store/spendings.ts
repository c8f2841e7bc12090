/** Counts what the user's sets of a wallet spend together; each delegate's set counts for itself, in its own row. */
import { Cache } from '../cache.js'
import { type Counters, countOne } from '../db/counters.js'
import type { Amounts } from '../policy/index.js'
import type { Change, SetRow } from './sets.js'

/** Amounts that the user's sets of a wallet have spent together, and the version that a change names. */
export interface Spending {
  readonly spent: Counters['spent']
  readonly version: number
}
const NOTHING_SPENT: Spending = { spent: {}, version: 0 }

export function createSpendings() {
  const cache = new Cache<Spending>()
  const get = ({ walletId }: SetRow): Spending => cache.get(walletId) ?? NOTHING_SPENT
  /** Returns the usage that limits apply to. */
  const getCounters = (row: SetRow): Counters =>
    row.kind === 'delegate' ? row.counters : { ...row.counters, spent: get(row).spent }
  return {
    get,
    keep: ({ walletId }: SetRow, spending: Spending) => void cache.set(walletId, spending),
    getCounters,
    /** Returns the change that counts a signature of the set. */
    count(row: SetRow, now: number, amounts: Amounts): Pick<Change, 'spent'> & { values: Pick<SetRow, 'counters'> } {
      const before = getCounters(row)
      const counters = countOne(before, now, amounts)
      if (row.kind === 'delegate') return { values: { counters } }
      const ownCounters = { ...counters, spent: {} }
      return { values: { counters: ownCounters }, ...(counters.spent !== before.spent && { spent: counters.spent }) }
    },
  }
}
