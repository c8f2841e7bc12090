/** Counts what the sponsor has promised to pay today, before it signs, in one place for all instances. */
import { and, eq, lt, lte, sql } from 'drizzle-orm'
import { sponsoredTransactions, sponsorSpending } from '../db/schema.js'
import { ApiError } from '../http/errors.js'
import type { Services } from '../services.js'
import type { SolanaChain } from './chain.js'
import { refuseSponsorship, type SponsorshipPolicy } from './policy.js'

const DAY = 86_400_000

export interface Spending {
  readonly environmentId: string
  readonly userId: string
  /** Signature of the transaction, base58: a repeated transaction is counted once. */
  readonly signature: string
  readonly lamports: number
  readonly networkId: number
  readonly lastBlockHeight: number
}
type Parts = Pick<Services, 'db' | 'clock' | 'hashes'>

function getDay({ clock }: Parts): number {
  return Math.floor(clock.now() / DAY)
}

/** @param who a user, or none for all of the environment */
function getId(parts: Parts, environmentId: string, who = ''): string {
  return parts.hashes.keyed('sponsor', environmentId, who, String(getDay(parts)))
}

/** @throws ApiError `no_gas_sponsoring_policy`, reason `daily_limit` with `details.limit` and `details.resetsAt` */
export async function spend(
  parts: Parts,
  policy: SponsorshipPolicy,
  { environmentId, userId, signature, lamports, ...promise }: Spending,
): Promise<void> {
  const { db, clock } = parts
  const day = getDay(parts)
  const [ofUser, ofEnvironment] = [getId(parts, environmentId, userId), getId(parts, environmentId)]
  await db.transaction(async tx => {
    const [fresh] = await tx
      .insert(sponsoredTransactions)
      .values({ signature, createdAt: clock.now(), ofUser, ofEnvironment, lamports, ...promise })
      .onConflictDoNothing()
      .returning()
    if (!fresh) return
    // Count the user's row first, so that a user at the limit does not hold up other users.
    const limits = [
      ['user', ofUser, policy.dailyLamportsPerUser],
      ['environment', ofEnvironment, policy.dailyLamports],
    ] as const
    for (const [limit, id, most] of limits) {
      await tx.insert(sponsorSpending).values({ id, day, lamports: 0 }).onConflictDoNothing()
      // The row is locked from here on, so the second of two concurrent calls sees what the first has taken.
      const taken = await tx
        .update(sponsorSpending)
        .set({ lamports: sql`${sponsorSpending.lamports} + ${lamports}` })
        .where(and(eq(sponsorSpending.id, id), lte(sponsorSpending.lamports, most - lamports)))
        .returning()
      if (!taken.length) throw refuseSponsorship('daily_limit', { limit, resetsAt: (day + 1) * DAY })
    }
  })
}

/** Maximum number of signatures in one request to a node. */
const MAX_AT_ONCE = 256

/**
 * Gives back amounts promised today for transactions that never landed: no block can hold them any more, and the chain
 * does not know them. If no node can be reached or trusted, the amounts still count.
 */
export async function release(
  { db, ...parts }: Parts,
  chain: SolanaChain,
  { environmentId, networkId }: Pick<Spending, 'environmentId' | 'networkId'>,
): Promise<void> {
  try {
    const { slot, blockHeight } = await chain.finalized()
    const { ofEnvironment, lastBlockHeight, createdAt } = sponsoredTransactions
    const isOver = and(
      eq(ofEnvironment, getId({ db, ...parts }, environmentId)),
      eq(sponsoredTransactions.networkId, networkId),
      lt(lastBlockHeight, blockHeight),
    )
    const over = await db.select().from(sponsoredTransactions).where(isOver).orderBy(createdAt).limit(MAX_AT_ONCE)
    if (!over.length) return
    const landed = await chain.landed(
      over.map(({ signature }) => signature),
      slot,
    )
    if (!landed) return
    for (const [index, promise] of over.entries()) await settle(db, promise, landed[index] ?? true)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Settles one transaction at a time, locking in the order of `spend`, so that calls do not deadlock. */
function settle(
  db: Parts['db'],
  { signature, ofUser, ofEnvironment, lamports }: typeof sponsoredTransactions.$inferSelect,
  hasLanded: boolean,
): Promise<void> {
  return db.transaction(async tx => {
    const isThis = eq(sponsoredTransactions.signature, signature)
    if (hasLanded) {
      await tx.update(sponsoredTransactions).set({ lastBlockHeight: null }).where(isThis)
      return
    }
    const removed = await tx.delete(sponsoredTransactions).where(isThis).returning()
    // Another instance may have removed them first.
    if (!removed.length) return
    for (const id of [ofUser, ofEnvironment])
      await tx
        .update(sponsorSpending)
        .set({ lamports: sql`${sponsorSpending.lamports} - ${lamports}` })
        .where(eq(sponsorSpending.id, id ?? ''))
  })
}

export async function spentToday(parts: Parts, environmentId: string): Promise<number> {
  const id = getId(parts, environmentId)
  const [row] = await parts.db.select().from(sponsorSpending).where(eq(sponsorSpending.id, id))
  return row?.lamports ?? 0
}
