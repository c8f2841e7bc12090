/** Deletes users after 30 days; until then a deletion can be undone. */
import { and, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { organizationFact } from '../custody/organizations.js'
import { facts, sessions, users } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, sessionExpired } from '../http/errors.js'
import { recordEvent } from '../security-log/events.js'
import type { Services } from '../services.js'

const DELETION_DELAY_MS = 30 * 86_400_000
const MAX_PURGED = 100

/** Ends all sessions and schedules the removal; a second call keeps the date. @throws ApiError `session_expired` */
export async function deleteUser(call: Call, userId: string): Promise<void> {
  const { db, clock } = call.services
  const now = clock.now()
  await db.transaction(async tx => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw new ApiError(sessionExpired)
    if (user.deletesAt === null) {
      await tx
        .update(users)
        .set({ deletesAt: now + DELETION_DELAY_MS })
        .where(eq(users.id, userId))
      await recordEvent(call, tx, { userId, kind: 'deletion-scheduled' })
    }
    await tx
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
  })
}

/** Restores a user, even past the date, until the sweep has removed the user. @throws ApiError `session_expired` */
export async function restoreUser(call: Call, userId: string): Promise<void> {
  await call.services.db.transaction(async tx => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw new ApiError(sessionExpired)
    if (user.deletesAt === null) return
    await tx.update(users).set({ deletesAt: null }).where(eq(users.id, userId))
    await recordEvent(call, tx, { userId, kind: 'deletion-cancelled' })
  })
}

/** Removes users whose date has passed. Each user is removed with all its data, or not at all. */
export async function purgeUsers({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const isDue = and(isNotNull(users.deletesAt), lte(users.deletesAt, clock.now()))
  await db.transaction(async tx => {
    // Skip rows that a request has locked, such as a user being restored, until the next sweep.
    const due = await tx
      .select({ id: users.id, environmentId: users.environmentId })
      .from(users)
      .where(isDue)
      .orderBy(users.deletesAt)
      .limit(MAX_PURGED)
      .for('update', { skipLocked: true })
    if (due.length === 0) return
    const names = due.map(({ id, environmentId }) => organizationFact({ environmentId, userId: id }))
    await tx.delete(facts).where(inArray(facts.name, names))
    await tx.delete(users).where(
      inArray(
        users.id,
        due.map(({ id }) => id),
      ),
    )
  })
}
