/** What the sponsor has promised to pay today: counted before it signs, in one place for all instances. */
import { and, eq, lte, sql } from 'drizzle-orm'
import { sponsoredTransactions, sponsorSpending } from '../db/schema.js'
import type { Services } from '../services.js'
import { refuseSponsorship, type SponsorshipPolicy } from './policy.js'

const DAY = 86_400_000

export interface Spending {
  readonly environmentId: string
  readonly userId: string
  /** Of the transaction, base58: the same one again is counted once. */
  readonly signature: string
  readonly lamports: number
}
type Parts = Pick<Services, 'db' | 'clock' | 'hashes'>

const dayOf = ({ clock }: Parts): number => Math.floor(clock.now() / DAY)

/** @param who a user, or none for all of the environment */
const idOf = (parts: Parts, environmentId: string, who = ''): string =>
  parts.hashes.keyed('sponsor', environmentId, who, String(dayOf(parts)))

/** @throws ApiError `no_gas_sponsoring_policy`, reason `daily_limit` with `details.limit` and `details.resetsAt` */
export const spend = async (
  parts: Parts,
  policy: SponsorshipPolicy,
  { environmentId, userId, signature, lamports }: Spending,
): Promise<void> => {
  const { db, clock } = parts
  const day = dayOf(parts)
  await db.transaction(async tx => {
    const [fresh] = await tx
      .insert(sponsoredTransactions)
      .values({ signature, createdAt: clock.now() })
      .onConflictDoNothing()
      .returning()
    if (!fresh) return
    // The user's row first: who has used up theirs holds up nobody else.
    const limits = [
      ['user', idOf(parts, environmentId, userId), policy.dailyLamportsPerUser],
      ['environment', idOf(parts, environmentId), policy.dailyLamports],
    ] as const
    for (const [limit, id, most] of limits) {
      await tx.insert(sponsorSpending).values({ id, day, lamports: 0 }).onConflictDoNothing()
      // The row is locked from here on, so of two at once the second sees what the first has taken.
      const taken = await tx
        .update(sponsorSpending)
        .set({ lamports: sql`${sponsorSpending.lamports} + ${lamports}` })
        .where(and(eq(sponsorSpending.id, id), lte(sponsorSpending.lamports, most - lamports)))
        .returning()
      if (!taken.length) throw refuseSponsorship('daily_limit', { limit, resetsAt: (day + 1) * DAY })
    }
  })
}

/** lamports of today, of the whole environment. */
export const spentToday = async (parts: Parts, environmentId: string): Promise<number> => {
  const id = idOf(parts, environmentId)
  const [row] = await parts.db.select().from(sponsorSpending).where(eq(sponsorSpending.id, id))
  return row?.lamports ?? 0
}
