/**
 * Tables that grow with use are partitioned by month (UTC), so that old months can be archived without a long delete. A
 * row of a month without a partition goes to `<table>_default`: no clock, however wrong, makes the database refuse a
 * write. When the partition is made, such rows move to it.
 */
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm/sql'
import * as v from 'valibot'
import { rowsOf } from './expired.js'
import type { DatabaseOf, Schema } from './open.js'

/** Last archived entry of each audit chain: the chain in the database continues it. */
export const auditCheckpoints = pgTable('audit_checkpoints', {
  id: text('id').primaryKey(),
  sequence: integer('sequence').notNull(),
  hash: text('hash').notNull(),
})

/** Files that hold archived months. */
export const archives = pgTable('archives', {
  file: text('file').primaryKey(),
  rows: integer('rows').notNull(),
  /** SHA-256 of the file, hex. */
  sha256: text('sha256').notNull(),
  archivedAt: bigint('archived_at', { mode: 'number' }).notNull(),
})

export interface MonthlyTable {
  readonly table: string
  /** Column with the time of a row, in ms. */
  readonly time: string
  /** True for a table whose rows a trigger protects with the function `is_append_only`. */
  readonly isAppendOnly: boolean
}

/** Number of months after the current one that have a partition. */
const MONTHS_AHEAD = 2

/** Returns the begin of a month, in ms. @param months number of months later */
export function startOfMonth(at: number, months = 0): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)
}

/** Returns a month as text, e.g. `2026-01`. */
export function formatMonth(month: number): string {
  return new Date(month).toISOString().slice(0, 7)
}

export function getPartition(table: string, month: number): string {
  return `${table}_${formatMonth(month).replace('-', '_')}`
}

const listed = v.array(v.object({ name: v.string(), isOwner: v.boolean() }))

/** Returns the names of a table's partitions, and whether this role may make more. */
export async function listPartitions<S extends Schema>(db: Pick<DatabaseOf<S>, 'execute'>, table: string) {
  const rows = await db.execute(sql`select p.relname as name, pg_has_role(t.relowner, 'usage') as "isOwner"
    from pg_inherits join pg_class p on p.oid = inhrelid join pg_class t on t.oid = inhparent
    where inhparent = ${table}::regclass order by 1`)
  const partitions = v.parse(listed, rowsOf(rows))
  return { names: partitions.map(({ name }) => name), isOwner: partitions.every(({ isOwner }) => isOwner) }
}

/** Returns the statements that make a partition, with the rows of its month that went to the default partition. */
export function getMonthStatements({ table, time, isAppendOnly }: MonthlyTable, month: number): readonly string[] {
  const [partition, others, end] = [getPartition(table, month), `${table}_default`, startOfMonth(month, 1)]
  const rows = `from ${others} where ${time} >= ${month} and ${time} < ${end}`
  const protect = (what: 'disable' | 'enable') =>
    isAppendOnly ? [`alter table ${others} ${what} trigger ${table}_is_append_only`] : []
  return [
    // A queue behind a long transaction would hold up every write.
    "set local lock_timeout = '2s'",
    // A write that has chosen the default partition and waits for it would be refused, so writes wait before they choose.
    `lock table only ${table} in share row exclusive mode`,
    `lock table ${others} in access exclusive mode`,
    `create table ${partition} (like ${table} including all)`,
    `insert into ${partition} select * ${rows}`,
    ...protect('disable'),
    `delete ${rows}`,
    ...protect('enable'),
    `alter table ${table} attach partition ${partition} for values from (${month}) to (${end})`,
    ...(isAppendOnly
      ? [
          `create trigger ${table}_is_append_only before update or delete or truncate on ${partition} for each statement execute function is_append_only()`,
        ]
      : []),
  ]
}

const locked = v.tuple([v.object({ locked: v.boolean() })])

/**
 * Makes the partitions of the current and the next months, by one instance at a time. Does nothing for a role that does
 * not own the table: the archive command makes them.
 */
export async function makeMonths<S extends Schema>(
  db: DatabaseOf<S>,
  tables: readonly MonthlyTable[],
  now: number,
): Promise<void> {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => startOfMonth(now, ahead))
  for (const monthly of tables) {
    const isMissing = async (on: Pick<DatabaseOf<S>, 'execute'>) => {
      const { names, isOwner } = await listPartitions(on, monthly.table)
      return (month: number) => isOwner && !names.includes(getPartition(monthly.table, month))
    }
    for (const month of months.filter(await isMissing(db)))
      await db.transaction(async tx => {
        const lock = sql`select pg_try_advisory_xact_lock(hashtext(${`months ${monthly.table}`})) as locked`
        const [{ locked: isOurs }] = v.parse(locked, rowsOf(await tx.execute(lock)))
        if (!isOurs || !(await isMissing(tx))(month)) return
        for (const statement of getMonthStatements(monthly, month)) await tx.execute(sql.raw(statement))
      })
  }
}
