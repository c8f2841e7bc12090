/** Deletes expired rows in batches, by one instance at a time: a long backlog then holds up no other statement. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import * as v from 'valibot'
import type { DatabaseOf, Schema } from './open.js'

const BATCH = 1_000

const locked = v.tuple([v.object({ locked: v.boolean() })])
const counted = v.tuple([v.object({ count: v.number() })])

/**
 * Does nothing while another instance deletes from the table.
 * @param expired condition of the rows to delete
 * @param batch most rows of one transaction
 */
export async function deleteExpired<S extends Schema>(
  db: DatabaseOf<S>,
  table: PgTable,
  expired: SQL | undefined,
  batch = BATCH,
): Promise<void> {
  const lock = sql`select pg_try_advisory_xact_lock(hashtext(${`expired ${getTableName(table)}`})) as locked`
  const rows = sql`select ctid from ${table} where ${expired} limit ${batch}`
  const removal = sql`delete from ${table} where ctid = any(array(${rows})) returning 1`
  const deleteBatch = () =>
    db.transaction(async tx => {
      const [{ locked: isOurs }] = v.parse(locked, rowsOf(await tx.execute(lock)))
      if (!isOurs) return 0
      const result = await tx.execute(sql`with gone as (${removal}) select count(*)::int as count from gone`)
      return v.parse(counted, rowsOf(result))[0].count
    })
  while ((await deleteBatch()) === batch);
}

/** Returns the rows, which postgres.js answers as a list and PGlite in an object. */
export function rowsOf(result: unknown): unknown {
  return Array.isArray(result) ? [...result] : Object(result).rows
}
