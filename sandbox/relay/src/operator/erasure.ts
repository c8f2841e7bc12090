/**
 * Erases this relay's half of a user's wallets. Shares that are gone cannot be brought back, so a stolen operator key or
 * a mistake must not destroy wallets: an erasure waits, a wallet that is used before the date stays, and each day has a limit.
 */
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm'
import { audit, ceremonies, erasures, shareSets, wallets } from '../db/schema.js'
import type { Environment } from '../environments.js'
import type { Head } from '../http/route.js'
import type { Services } from '../services.js'
import type { AuditEntry } from '../store/audit.js'
import type { Change, SetRow } from '../store/sets.js'

const DAY_MS = 86_400_000
/** After the 30 days that the product API waits. */
const ERASURE_DELAY_MS = 14 * DAY_MS
/** Maximum number of users of an environment erased in a day. */
const MAX_PER_DAY = 50

type Erasing = Pick<Services, 'db' | 'clock' | 'sets' | 'log'>
type Owner = Pick<typeof erasures.$inferSelect, 'environmentId' | 'userId'>

function ownSets({ environmentId, userId }: Owner) {
  return and(eq(shareSets.environmentId, environmentId), eq(shareSets.userId, userId))
}

/** Entries of the operator's own work on a wallet. Every other entry is a use, also of a kind added later, so that in doubt a wallet stays. */
const NO_USE: readonly AuditEntry['what'][] = ['blocked', 'unblocked', 'erased']

/** Returns the sequence of each audit log of the user's sets. */
async function getHeads({ db }: Pick<Erasing, 'db'>, owner: Owner): Promise<Readonly<Record<string, number>>> {
  const rows = await db
    .select({ id: shareSets.id, sequence: shareSets.auditSequence })
    .from(shareSets)
    .where(ownSets(owner))
  return Object.fromEntries(rows.map(({ id, sequence }) => [id, sequence]))
}

/**
 * Returns true if a set has changed since the erasure was scheduled other than by the operator. One statement reads the
 * logs: with two, a block in between could hide a use.
 */
async function isUsed(
  { db }: Pick<Erasing, 'db'>,
  { heads, ...owner }: typeof erasures.$inferSelect,
): Promise<boolean> {
  const head = sql`coalesce((${JSON.stringify(heads)}::jsonb ->> ${shareSets.id})::integer, 0)`
  const what = sql<string>`coalesce(${audit.entry}::json ->> 'what', '')`
  const operated = sql`(select count(*) from ${audit} where ${and(eq(audit.setId, shareSets.id), gt(audit.sequence, head), inArray(what, [...NO_USE]))})`
  return (await db.$count(shareSets, and(ownSets(owner), ne(sql`${shareSets.auditSequence} - ${head}`, operated)))) > 0
}

/** Schedules an erasure; a repeat keeps the date. */
export async function scheduleErasure(
  { services, environment }: { readonly services: Services; readonly environment: Environment } & Pick<Head, 'note'>,
  userId: string,
): Promise<{ readonly erasesAt: number }> {
  const { db, clock } = services
  const owner = { environmentId: environment.id, userId }
  const id = JSON.stringify([environment.id, userId])
  const dueAt = clock.now() + ERASURE_DELAY_MS
  await db
    .insert(erasures)
    .values({ id, ...owner, heads: await getHeads(services, owner), dueAt })
    .onConflictDoNothing()
  const [row] = await db.select({ dueAt: erasures.dueAt }).from(erasures).where(eq(erasures.id, id))
  return { erasesAt: row?.dueAt ?? dueAt }
}

/** Carries out the erasures whose date has passed. A kill half-way leaves the rest to the next sweep. */
export async function eraseDue(services: Services): Promise<void> {
  const { db, clock, environments } = services
  const now = clock.now()
  for (const environmentId of environments.keys()) {
    const isOfEnvironment = eq(erasures.environmentId, environmentId)
    const today = and(isOfEnvironment, isNotNull(erasures.doneAt), gt(erasures.doneAt, now - DAY_MS))
    const left = MAX_PER_DAY - (await db.$count(erasures, today))
    if (left <= 0) continue
    const due = await db
      .select()
      .from(erasures)
      .where(and(isOfEnvironment, isNull(erasures.doneAt), lte(erasures.dueAt, now)))
      .orderBy(asc(erasures.dueAt))
      .limit(left)
    for (const erasure of due)
      await erase(services, erasure).catch(() =>
        services.log({
          level: 'error',
          message: 'an erasure failed: the next sweep resumes it',
          userId: erasure.userId,
        }),
      )
  }
}

async function erase(services: Erasing, erasure: typeof erasures.$inferSelect): Promise<void> {
  const { db, clock, log } = services
  const byId = eq(erasures.id, erasure.id)
  // What has begun to be erased is not whole any more, so the check is made once.
  if (erasure.startedAt === null) {
    if (await isUsed(services, erasure)) {
      log({ level: 'warn', message: 'an erasure was given up: the wallet was used', userId: erasure.userId })
      await db.delete(erasures).where(byId)
      return
    }
    await db.update(erasures).set({ startedAt: clock.now() }).where(byId)
  }
  await eraseWallets(services, erasure)
  await db.update(erasures).set({ doneAt: clock.now() }).where(byId)
}

/** Removes shares, seeds, names and ceremonies. User ID, address, records and audit log stay (README). */
async function eraseWallets({ db, sets, clock }: Erasing, owner: Owner): Promise<void> {
  const decide = ({ userId, epoch }: SetRow): Change => ({
    values: { status: 'revoked', share: null, policy: null },
    entry: { at: clock.now(), what: 'erased', userId, epoch },
  })
  const rows = await db
    .select()
    .from(shareSets)
    .where(and(ownSets(owner), isNotNull(shareSets.share)))
  // A set that fails does not hold up the others.
  const changes = await Promise.allSettled(rows.map(row => sets.change(row, decide)))
  for (const change of changes) if (change.status === 'rejected') throw change.reason
  await db.update(shareSets).set({ name: '' }).where(ownSets(owner))
  const { environmentId, userId } = owner
  const ownWallets = and(eq(wallets.environmentId, environmentId), eq(wallets.userId, userId))
  await db.update(wallets).set({ sealedSeed: null }).where(ownWallets)
  const ownCeremonies = and(eq(ceremonies.environmentId, environmentId), eq(ceremonies.userId, userId))
  await db.delete(ceremonies).where(ownCeremonies)
}
