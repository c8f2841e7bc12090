/** Rate limits shared by all instances: fixed windows, counted in one statement each. */
import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { DatabaseOf, Schema } from './open.js'

export const rateLimits = pgTable('rate_limits', {
  /** A hash, so that it identifies no user, address or network. */
  id: text('id').primaryKey(),
  count: integer('count').notNull(),
  /** ms since epoch */
  resetsAt: bigint('resets_at', { mode: 'number' }).notNull(),
})

export interface Limit {
  readonly most: number
  /** Length of the window, in ms. */
  readonly window: number
}

/** Counts one request. @returns undefined, or the seconds to wait when the limit is exceeded */
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
