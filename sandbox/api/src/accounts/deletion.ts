/** Deletes users after 30 days; until then a deletion can be undone. */
import { tooManyRequests } from '@keybay/kernel/spec'
import { and, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { organizationFact } from '../custody/organizations.js'
import type { Database } from '../db/open.js'
import { facts, securityEvents, sessions, users } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, notFound, sessionExpired } from '../http/errors.js'
import { queueInstruction } from '../remote/instructions.js'
import { recordEvent } from '../security-log/events.js'
import type { Services } from '../services.js'

const DAY_MS = 86_400_000
const DELETION_DELAY_MS = 30 * DAY_MS
const MAX_BY_OPERATOR_PER_DAY = 50
const MAX_PURGED = 100

/** Ends all sessions and schedules the removal; a second call keeps the date. @throws ApiError `session_expired` */
export async function deleteUser(call: Call, userId: string): Promise<void> {
  await call.services.db.transaction(tx => scheduleDeletion(call, tx, userId, true))
}

/**
 * As {@link deleteUser}, by the operator: the user is told, and can undo it. Each day has a limit, so that a stolen
 * token does not remove every user.
 * @throws ApiError `not_found`, `too_many_requests`
 */
export async function deleteUserAsOperator(call: Call, userId: string): Promise<{ readonly deletesAt: number }> {
  const { services, environment } = call
  return services.db.transaction(async tx => {
    // Take a lock per environment, on every instance, because the deletions are counted.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`operator deletions ${environment.id}`}))`)
    const [user] = await tx
      .select()
      .from(users)
      .where(and(eq(users.id, userId), eq(users.environmentId, environment.id)))
    if (!user) throw new ApiError(notFound)
    const today = and(
      eq(securityEvents.environmentId, environment.id),
      eq(securityEvents.kind, 'deletion-scheduled'),
      isNull(securityEvents.device),
      gt(securityEvents.at, services.clock.now() - DAY_MS),
    )
    const isNew = user.deletesAt === null
    if (isNew && (await tx.$count(securityEvents, today)) >= MAX_BY_OPERATOR_PER_DAY)
      throw new ApiError(tooManyRequests, { retryAfter: DAY_MS / 1000 })
    return { deletesAt: await scheduleDeletion(call, tx, userId, false) }
  })
}

/** @param isHere whether the user asked for it */
async function scheduleDeletion(call: Call, tx: Database, userId: string, isHere: boolean): Promise<number> {
  const now = call.services.clock.now()
  const deletesAt = now + DELETION_DELAY_MS
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user) throw new ApiError(sessionExpired)
  if (user.deletesAt === null) {
    await tx.update(users).set({ deletesAt }).where(eq(users.id, userId))
    await recordEvent(call, tx, { userId, kind: 'deletion-scheduled', isHere })
  }
  await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
  return user.deletesAt ?? deletesAt
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
export async function purgeUsers(services: Pick<Services, 'db' | 'clock' | 'relays'>): Promise<void> {
  const { db, clock } = services
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
    for (const { id: userId, environmentId } of due)
      await queueInstruction(services, tx, { environmentId, userId, topic: 'data', kind: 'erase' })
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
