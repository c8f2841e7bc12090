/** The audit log: one chain of hashes for each organisation. Whoever has a later head can tell if an entry was changed or left out. */
import { createHash, randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { Database } from './db/open.js'
import { audit, organizations } from './db/schema.js'

/** What happened. Never what was signed. */
export interface AuditEntry {
  /** ms since epoch */
  readonly at: number
  readonly activityId: string
  readonly type: string
  readonly what: 'completed' | 'failed' | 'rejected' | 'consensus-needed' | 'approvals-expired'
  readonly userId: string
  readonly fingerprint: string
}

/** hash = SHA-256, hex, of: hash before, line feed, the entry's exact text. */
export function auditHash(before: string, entry: string): string {
  return createHash('sha256').update(`${before}\n${entry}`).digest('hex')
}

/** Within the transaction that does what it tells: the organisation's row is locked, so the chain has no fork. */
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

export function auditOf(db: Database, organizationId: string): Promise<(typeof audit.$inferSelect)[]> {
  return db.select().from(audit).where(eq(audit.organizationId, organizationId)).orderBy(asc(audit.sequence))
}
