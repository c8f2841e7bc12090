/** Remembers what was used once, on every instance and over restarts. */
import { eq } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { proofs } from '../db/schema.js'

/**
 * Returns true for the first use of an ID; of two concurrent calls, on any instance, for one. The row may be swept after
 * `expiresAt`, so the caller must refuse by then what the ID stands for.
 */
export async function useOnce(db: Pick<Database, 'insert'>, row: typeof proofs.$inferInsert): Promise<boolean> {
  const [fresh] = await db.insert(proofs).values(row).onConflictDoNothing().returning()
  return fresh !== undefined
}

export async function isUsed(db: Pick<Database, '$count'>, id: string): Promise<boolean> {
  return (await db.$count(proofs, eq(proofs.id, id))) > 0
}
