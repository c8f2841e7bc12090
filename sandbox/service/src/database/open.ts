/** Opens a service's database: PGlite in a folder or in memory, or PostgreSQL; the same schema and the same code. */
import { fileURLToPath } from 'node:url'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { lockFolder } from '../lock.js'
import { prepareStatements } from './statements.js'
import { openPglite } from './template.js'

/** One statement as text, without Drizzle's building of it: for what every signature does. */
export type Query = (text: string, values: readonly (string | number | null)[]) => Promise<readonly unknown[]>

export type Schema = Record<string, unknown>
/** Drizzle's database, of either kind. */
export type DatabaseOf<S extends Schema> = PgDatabase<PgQueryResultHKT, S>

export interface OpenDatabase<S extends Schema> {
  readonly db: DatabaseOf<S>
  readonly query: Query
  /** @throws what the driver throws when the database does not answer */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** `postgres://…`; without it PGlite. */
  readonly url?: string | undefined
  /** PGlite's folder; without it in memory. */
  readonly dataDir?: string | undefined
  readonly onQuery?: ((query: string) => void) | undefined
}

export interface ServiceDatabase<S extends Schema> {
  readonly schema: S
  /** The folder of the migrations. */
  readonly migrations: URL
  /** Any number that no other program takes: instances that start together migrate one after the other. */
  readonly migrationLock: number
}

/**
 * @throws Error that says where the database is, and what the driver said, when it cannot be reached or migrated; Error that
 *   names the folder and the process that has it: PGlite has one user at a time
 * @example
 * const service = { schema, migrations: new URL('../../migrations', import.meta.url), migrationLock: 4_300_000_001 }
 * const { db, close } = await openDatabase(service, { dataDir: '.keybay/relay/db' })
 */
export async function openDatabase<S extends Schema>(
  { schema, migrations, migrationLock }: ServiceDatabase<S>,
  { url, dataDir, onQuery }: DatabaseOptions,
): Promise<OpenDatabase<S>> {
  const config = { schema, ...(onQuery && { logger: { logQuery: onQuery } }) }
  const folder = { migrationsFolder: fileURLToPath(migrations) }
  if (url !== undefined) {
    const client = postgres(url, { max: 10, onnotice: () => undefined })
    const db = drizzlePostgres(client, config)
    try {
      await alone(url, migrationLock, single => migratePostgres(drizzlePostgres(single), folder))
    } catch (error) {
      await client.end({ timeout: 1 })
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(`the database at ${new URL(url).host} cannot be opened: ${why}`, { cause: error })
    }
    const query = heard((text, values) => client.unsafe(text, [...values], { prepare: true }), onQuery)
    return { db, query, ping: () => ping(query), close: () => client.end({ timeout: 5 }) }
  }
  const unlock = dataDir === undefined ? () => undefined : await lockFolder(dataDir)
  try {
    const client = await openPglite(dataDir)
    await migratePglite(drizzlePglite(client), folder)
    const prepared = prepareStatements(client)
    const query = heard(prepared.query, onQuery)
    const close = () => client.close().finally(unlock)
    return { db: drizzlePglite(prepared.client, config), query, ping: () => ping(query), close }
  } catch (error) {
    unlock()
    throw error
  }
}

function heard(query: Query, onQuery: DatabaseOptions['onQuery']): Query {
  return (text, values) => {
    onQuery?.(text)
    return query(text, values)
  }
}

async function ping(query: Query): Promise<void> {
  await query('select 1', [])
}

/** On a connection of its own, because the lock belongs to the connection. */
async function alone(url: string, lock: number, work: (single: postgres.Sql) => Promise<void>): Promise<void> {
  const single = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await single`select pg_advisory_lock(${lock})`
    await work(single)
  } finally {
    await single.end({ timeout: 5 })
  }
}
