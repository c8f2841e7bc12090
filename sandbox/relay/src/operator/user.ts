/** Carries out what the operator decided about a user: block, unblock, export of the data, erasure. */
import { and, asc, eq, inArray } from 'drizzle-orm'
import { audit, records, shareSets, wallets } from '../db/schema.js'
import type { Head } from '../http/route.js'
import type { AuditEntry } from '../store/audit.js'
import type { Change, SetRow } from '../store/sets.js'
import { scheduleErasure } from './erasure.js'
import type { OperatorMessage } from './message.js'

/** Returns the answer to the operator. */
export async function runOperatorMessage(head: Head, { op, sub: userId }: OperatorMessage): Promise<object> {
  head.note({ operator: op, userId })
  switch (op) {
    case 'block':
      return setBlocked(head, userId, true)
    case 'unblock':
      return setBlocked(head, userId, false)
    case 'export':
      return exportData(head, userId)
    case 'erase':
      return scheduleErasure(head, userId)
  }
}

function ownedSets({ environment }: Pick<Head, 'environment'>, userId: string) {
  return and(eq(shareSets.environmentId, environment.id), eq(shareSets.userId, userId))
}

function operatorEntry(at: number, { userId, epoch }: SetRow, what: AuditEntry['what']): AuditEntry {
  return { at, what, userId, epoch }
}

/** Blocks every set of the user, also those of delegates, which sign without the user. */
async function setBlocked(head: Head, userId: string, isBlocked: boolean): Promise<object> {
  const { sets, db, clock } = head.services
  const decide = (row: SetRow): Change => ({
    values: { blockedAt: isBlocked ? (row.blockedAt ?? clock.now()) : null },
    entry: operatorEntry(clock.now(), row, isBlocked ? 'blocked' : 'unblocked'),
  })
  const rows = await db.select().from(shareSets).where(ownedSets(head, userId))
  const changing = rows.filter(({ blockedAt }) => (blockedAt !== null) !== isBlocked)
  for (const row of changing) await sets.change(row, decide)
  return { sets: rows.length }
}

/** Returns what this relay knows about the user, without shares, sealed keys or seeds. */
async function exportData(head: Head, userId: string): Promise<object> {
  const { db, party } = head.services
  const isOfUser = and(eq(wallets.environmentId, head.environment.id), eq(wallets.userId, userId))
  const rows = await db.select().from(wallets).where(isOfUser).orderBy(asc(wallets.createdAt))
  const sets = await db.select().from(shareSets).where(ownedSets(head, userId)).orderBy(asc(shareSets.createdAt))
  const [walletIds, setIds] = [rows.map(({ id }) => id), sets.map(({ id }) => id)]
  return {
    party,
    wallets: rows.map(({ sealedSeed: _, spentVersion: __, ...wallet }) => wallet),
    shareSets: sets.map(({ share: _, auditHead: __, version: ___, ...set }) => set),
    records: await db.select().from(records).where(inArray(records.walletId, walletIds)).orderBy(asc(records.sequence)),
    audit: await db
      .select({ setId: audit.setId, entry: audit.entry })
      .from(audit)
      .where(inArray(audit.setId, setIds))
      .orderBy(asc(audit.setId), asc(audit.sequence)),
  }
}
