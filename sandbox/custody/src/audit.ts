/** Audit log: one hash chain per organisation. A later head reveals a changed or missing entry. */
import { createHash, randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { Database } from './db/open.js'
import { audit, organizations } from './db/schema.js'

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

/**
 * Appends an entry in the transaction of its event; the lock on the organisation's row keeps the chain from forking.
 */
export async function record(tx: Database, organizationId: string, entry: AuditEntry): Promise<void> {
  const [head] = await tx.select().from(organizations).where(eq(organizations.id, organizationId)).for('update')
  if (!head) throw new Error('An activity without its organization')
  const text = JSON.stringify(entry)
  const hash = auditHash(head.auditHash, text)
  const sequence = head.auditSequence + 1
  await tx.insert(audit).values({ id: randomUUID(), organizationId, sequence, entry: text, hash })
  await tx
    .update(organizations)
    .set({ auditSequence: sequence, auditHash: hash })
    .where(eq(organizations.id, organizationId))
}

export function getAudit(db: Database, organizationId: string): Promise<(typeof audit.$inferSelect)[]> {
  return db.select().from(audit).where(eq(audit.organizationId, organizationId)).orderBy(asc(audit.sequence))
}
