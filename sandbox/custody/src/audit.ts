/** Audit log: one hash chain per organization. A later head reveals a changed or missing entry. */
import { createHash } from 'node:crypto'
import { buildOnce } from '@keybay/sandbox-service/database'
import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Database } from './db/open.js'
import { audit, auditCheckpoints, organizations } from './db/schema.js'

/** Event of an activity, never the signed data. */
export interface AuditEntry {
  /** ms since epoch */
  readonly at: number
  readonly activityId: string
  readonly type: string
  readonly what: 'completed' | 'failed' | 'rejected' | 'consensus-needed' | 'approvals-expired'
  readonly userId: string
  readonly fingerprint: string
}

/** Returns SHA-256 as hex of: previous hash, line feed, exact text of the entry. */
export function auditHash(before: string, entry: string): string {
  return createHash('sha256').update(`${before}\n${entry}`).digest('hex')
}

const at = sql.placeholder

/**
 * Returns the two parts of a statement that append an entry, with {@link auditHash} in SQL. The first part changes the
 * head of the chain, and so locks it: of two statements the second sees the head of the first, and no chain forks.
 * @param condition of the append, which may name earlier parts of the statement
 */
export function appending(db: Database, condition?: SQL) {
  const head = db.$with('head').as(
    db
      .update(organizations)
      .set({
        auditSequence: sql`${organizations.auditSequence} + 1`,
        auditHash: sql`encode(sha256(convert_to(${organizations.auditHash} || chr(10) || ${at('entry')}::text, 'UTF8')), 'hex')`,
      })
      .where(and(eq(organizations.id, at('organizationId')), condition))
      .returning({ sequence: organizations.auditSequence, hash: organizations.auditHash }),
  )
  const values = sql`select ${at('organizationId')}::text, "audit_sequence", ${at('entry')}::text, "audit_hash", ${at('entryAt')}::bigint from ${head}`
  return [head, db.$with('entry').as(db.insert(audit).select(values))] as const
}

/** Returns the values of the parts. */
export function entryValues(organizationId: string, entry: AuditEntry) {
  return { organizationId, entryAt: entry.at, entry: JSON.stringify(entry) }
}

const getStatement = buildOnce((db: Database) => {
  const [head, entry] = appending(db)
  return db.with(head, entry).select({ sequence: head.sequence }).from(head).prepare('record')
})

/** Appends an entry in the transaction of its event. */
export async function record(tx: Database, organizationId: string, entry: AuditEntry): Promise<void> {
  const appended = await getStatement(tx).execute(entryValues(organizationId, entry))
  if (appended.length === 0) throw new Error('An activity without its organization')
}

/** Returns the chain since the checkpoint, which is the last archived entry. */
export async function getAudit(db: Database, organizationId: string) {
  const { sequence, entry, hash } = audit
  const entries = await db
    .select({ sequence, entry, hash })
    .from(audit)
    .where(eq(audit.organizationId, organizationId))
    .orderBy(asc(sequence))
  const { id, ...fields } = getTableColumns(auditCheckpoints)
  const [checkpoint = null] = await db.select(fields).from(auditCheckpoints).where(eq(id, organizationId))
  return { entries, checkpoint }
}
