/** Reads a PostgreSQL database without changing it, for the operator's command. */
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import * as v from 'valibot'
import { connect } from './connection.js'
import type { DatabaseDefinition, DatabaseOf, Schema } from './open.js'

type Ask = (text: string) => PromiseLike<readonly unknown[]>

const FACTS = `select
  current_setting('server_version_num')::int as version,
  pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
  (select string_agg(name, ' ' order by name) from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as "volatileSettings"`

/** Names with blanks between: the connection does not read arrays. */
const namesSchema = v.pipe(
  v.nullable(v.string()),
  v.transform(text => text?.split(' ') ?? []),
)
const factsSchema = v.tuple([v.object({ version: v.number(), isReadOnly: v.boolean(), volatileSettings: namesSchema })])

interface Inspected {
  readonly facts: v.InferOutput<typeof factsSchema>[0]
  readonly db: DatabaseOf<Schema>
  readonly query: Ask
}

/**
 * Runs `work` on a connection of its own.
 * @param settings PostgreSQL's settings of the connection
 * @throws Error of the driver when the database does not answer
 */
export async function inspectDatabase<T>(
  url: string | undefined,
  work: (database: Inspected) => Promise<T>,
  settings: Readonly<Record<string, boolean>> = {},
) {
  if (url === undefined) throw new Error('No database is set.')
  const { client } = await connect(url, settings)
  try {
    const query: Ask = text => client.unsafe(text)
    const [facts] = v.parse(factsSchema, [...(await query(FACTS))])
    return await work({ facts, db: drizzle(client), query })
  } finally {
    await client.end({ timeout: 1 })
  }
}

const appliedSchema = v.array(v.object({ hash: v.string() }))

/** Returns true if the database has the schema of this version. */
export async function isMigrated<S extends Schema>(
  { migrations }: DatabaseDefinition<S>,
  query: Ask,
): Promise<boolean> {
  const [table] = await query(
    "select 1 from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'",
  )
  if (table === undefined) return false
  const applied = v.parse(appliedSchema, [
    ...(await query('select hash from drizzle.__drizzle_migrations order by id')),
  ])
  const known = readMigrationFiles({ migrationsFolder: fileURLToPath(migrations) })
  return known.length === applied.length && known.every(({ hash }, index) => hash === applied[index]?.hash)
}
