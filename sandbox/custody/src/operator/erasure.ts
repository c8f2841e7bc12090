/**
 * Erases sub-organizations. A key that is gone cannot be brought back, so a stolen operator key or a mistake must not
 * destroy wallets: an erasure waits, a wallet that is used before the date stays, and each day has a limit.
 */
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import {
  activities,
  apiKeys,
  authenticators,
  fingerprints,
  importKeys,
  organizations,
  policies,
  privateKeys,
  users,
  votes,
  walletAccounts,
  wallets,
} from '../db/schema.js'
import type { Services } from '../services.js'

const DAY_MS = 86_400_000
/** After the 30 days that the product API waits. */
const ERASURE_DELAY_MS = 14 * DAY_MS
const MAX_PER_DAY = 50

type OrganizationRow = typeof organizations.$inferSelect

/** Schedules an erasure; a repeat keeps the date. */
export async function scheduleErasure(
  { db, clock }: Services,
  { id, erasesAt, erasedAt }: OrganizationRow,
): Promise<{ readonly erasesAt: number | null; readonly erasedAt: number | null }> {
  if (erasesAt !== null || erasedAt !== null) return { erasesAt, erasedAt }
  const now = clock.now()
  const planned = { erasureAskedAt: now, erasesAt: now + ERASURE_DELAY_MS }
  await db
    .update(organizations)
    .set(planned)
    .where(and(eq(organizations.id, id), isNull(organizations.erasesAt)))
  return { erasesAt: planned.erasesAt, erasedAt: null }
}

/** Carries out the erasures whose date has passed, each in one transaction. */
export async function eraseDue(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const today = and(isNotNull(organizations.erasedAt), gt(organizations.erasedAt, now - DAY_MS))
  const left = MAX_PER_DAY - (await db.$count(organizations, today))
  if (left <= 0) return
  const due = await db
    .select()
    .from(organizations)
    .where(and(isNull(organizations.erasedAt), lte(organizations.erasesAt, now)))
    .orderBy(asc(organizations.erasesAt))
    .limit(left)
  for (const organization of due)
    await erase(services, organization).catch(() =>
      services.log({
        level: 'error',
        message: 'an erasure failed: the next sweep resumes it',
        organizationId: organization.id,
      }),
    )
}

async function erase({ db, clock, log }: Services, { id, erasureAskedAt }: OrganizationRow): Promise<void> {
  const byId = eq(organizations.id, id)
  await db.transaction(async tx => {
    const [current] = await tx.select().from(organizations).where(byId).for('update')
    if (current?.erasesAt == null) return
    const isOfOrganization = eq(activities.organizationId, id)
    if ((await tx.$count(activities, and(isOfOrganization, gt(activities.createdAt, erasureAskedAt ?? 0)))) > 0) {
      log({ level: 'warn', message: 'an erasure was given up: the wallet was used', organizationId: id })
      await tx.update(organizations).set({ erasesAt: null, erasureAskedAt: null }).where(byId)
      return
    }
    for (const table of [walletAccounts, wallets, privateKeys, importKeys, apiKeys, authenticators, policies, users])
      await tx.delete(table).where(eq(table.organizationId, id))
    const ownActivities = tx.select({ id: activities.id }).from(activities).where(isOfOrganization)
    await tx.delete(votes).where(inArray(votes.activityId, ownActivities))
    await tx.delete(activities).where(isOfOrganization)
    await tx.delete(fingerprints).where(eq(fingerprints.organizationId, id))
    // The creation is an activity of the operator's organization.
    const made = sql`${activities.result} -> 'createSubOrganizationResultV8' ->> 'subOrganizationId' = ${id}`
    await tx
      .update(activities)
      .set({ parameters: {} })
      .where(and(eq(activities.organizationId, current.parentId ?? ''), made))
    const emptied = { name: '', rootUserIds: [], erasesAt: null, erasedAt: clock.now() }
    await tx.update(organizations).set(emptied).where(byId)
  })
}
