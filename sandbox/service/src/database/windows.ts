/** Rate limits that all instances share: fixed windows, counted in one statement each. */
import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { DatabaseOf, Schema } from './open.js'

export const rateLimits = pgTable('rate_limits', {
  /** A hash: it names neither a user nor an address nor a network. */
  id: text('id').primaryKey(),
  count: integer('count').notNull(),
  /** ms since 1970. */
  resetsAt: bigint('resets_at', { mode: 'number' }).notNull(),
})

export interface Limit {
  readonly most: number
  /** ms */
  readonly window: number
}

/** Counts one. @returns undefined, or the seconds to wait when there were too many */
export async function countOne<S extends Schema>(
  db: DatabaseOf<S>,
  { id, most, window, now }: Limit & { readonly id: string; readonly now: number },
): Promise<number | undefined> {
  const [row] = await db
    .insert(rateLimits)
    .values({ id, count: 1, resetsAt: now + window })
    .onConflictDoUpdate({
      target: rateLimits.id,
      set: {
        count: sql`case when ${rateLimits.resetsAt} <= ${now} then 1 else ${rateLimits.count} + 1 end`,
        resetsAt: sql`case when ${rateLimits.resetsAt} <= ${now} then excluded.resets_at else ${rateLimits.resetsAt} end`,
      },
    })
    .returning()
  return row && row.count > most ? Math.max(1, Math.ceil((row.resetsAt - now) / 1000)) : undefined
}
