/**
 * Approvals of an activity that waits for consent. As with Turnkey, all of them expire a day after the first one,
 * and the activity waits for new ones, so no late vote can complete an old agreement.
 */
import { and, eq, lte } from 'drizzle-orm'
import { record } from '../audit.js'
import type { Database } from '../db/open.js'
import { activities, votes } from '../db/schema.js'
import type { Services } from '../services.js'
import { type ActivityKey, type ActivityRow, locked } from './advance.js'

const APPROVALS_LAST = 24 * 60 * 60_000

type VoteRow = typeof votes.$inferSelect

/** Returns the votes that have not expired. */
export function standing({ status }: ActivityRow, castVotes: readonly VoteRow[], now: number): readonly VoteRow[] {
  return status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED' &&
    castVotes.some(({ createdAt }) => createdAt <= now - APPROVALS_LAST)
    ? []
    : castVotes
}

/** Locks the activity until the transaction ends, so that no new approval is deleted with the expired ones. */
export async function removeVoid(tx: Database, key: ActivityKey, now: number): Promise<void> {
  const row = await locked(tx, key)
  const { id: activityId } = key
  const castVotes = await tx.select().from(votes).where(eq(votes.activityId, activityId))
  if (standing(row, castVotes, now).length === castVotes.length) return
  await tx.delete(votes).where(eq(votes.activityId, activityId))
  const { organizationId, type, userId, fingerprint } = row
  await record(tx, organizationId, { at: now, activityId, type, what: 'approvals-expired', userId, fingerprint })
}

/** Deletes the expired approvals of all activities. */
export async function sweepApprovals({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const old = await db
    .selectDistinct({ id: activities.id, createdAt: activities.createdAt })
    .from(activities)
    .innerJoin(votes, eq(votes.activityId, activities.id))
    .where(and(eq(activities.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED'), lte(votes.createdAt, now - APPROVALS_LAST)))
  for (const key of old) await db.transaction(tx => removeVoid(tx, key, now))
}
