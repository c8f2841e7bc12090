/** Opens a service's database: PGlite in a folder or in memory, or PostgreSQL, with the same schema and code. */
import { fileURLToPath } from 'node:url'
import type { PGlite } from '@electric-sql/pglite'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator'
import type postgres from 'postgres'
import { lockFolder } from '../lock.js'
import { checkVersion } from './check-version.js'
import { connect, describeHosts } from './connection.js'
import type { DatabaseOptions, DatabaseService } from './options.js'
import { openPool } from './pool.js'
import { prepareStatements } from './statements.js'
import { openPglite } from './template.js'

/**
 * Runs one statement as text, without Drizzle's query builder, for the statements behind every signature. Cast a text
 * for another type from text, as in `$1::text::boolean`: for a boolean parameter the driver sends every text as false.
 */
export type Query = (text: string, values: readonly (string | number | null)[]) => Promise<readonly unknown[]>

export { deleteExpired } from './expired.js'
export type { DatabaseOptions } from './options.js'
export { buildOnce } from './prepared.js'
export { openPglite } from './template.js'
export { isDatabaseAway, RETRY_AFTER_S } from './unavailable.js'
export type Schema = Record<string, unknown>
/** Drizzle's database, of either kind. */
export type DatabaseOf<S extends Schema> = PgDatabase<PgQueryResultHKT, S>

export interface OpenDatabase<S extends Schema> extends DatabaseService {
  readonly db: DatabaseOf<S>
  readonly query: Query
}

export interface DatabaseDefinition<S extends Schema> {
  readonly schema: S
  readonly migrations: URL
  /** Lock number that no other program uses: instances that start together migrate one after the other. */
  readonly migrationLock: number
}

export type OpenDatabaseFunction<S extends Schema> = (options: DatabaseOptions) => Promise<OpenDatabase<S>>

/**
 * Returns the function that opens a service's database.
 * @example
 * const openDatabase = defineDatabase({ schema, migrations: new URL('../../migrations', import.meta.url), migrationLock: 1 })
 * const { db, close } = await openDatabase({ dataDir: '.keybay/relay/db' })
 */
export function defineDatabase<S extends Schema>(definition: DatabaseDefinition<S>): OpenDatabaseFunction<S> {
  return options => openDatabase(definition, options)
}

/**
 * Opens a database and migrates it to the schema.
 * @throws Error that names the database and the driver's reason when it cannot be reached or migrated, or was made by
 *   another version; Error that names the folder and the process that uses it: PGlite supports one process at a time
 */
export function openDatabase<S extends Schema>(definition: DatabaseDefinition<S>, options: DatabaseOptions) {
  const { url } = options
  return url === undefined ? openFolder(definition, options) : openServer(definition, { ...options, url })
}

async function openServer<S extends Schema>(
  { schema, migrations, migrationLock }: DatabaseDefinition<S>,
  { url, onQuery }: DatabaseOptions & { readonly url: string },
): Promise<OpenDatabase<S>> {
  const { client, getPoolUse } = openPool(url)
  try {
    await onOneConnection(url, migrationLock, async single => {
      const folder = fileURLToPath(migrations)
      await checkVersion(folder, text => single.unsafe(text))
      await migratePostgres(drizzlePostgres(single), { migrationsFolder: folder })
    })
  } catch (error) {
    await client.end()
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`the database at ${describeHosts(url)} cannot be opened: ${why}`, { cause: error })
  }
  const query = observe(async (text, values) => client.unsafe(text, [...values], { prepare: true }), onQuery)
  const db = drizzlePostgres(client, { schema, ...logger(onQuery) })
  return { db, query, ping: () => ping(query), close: () => client.end(), getPoolUse }
}

async function openFolder<S extends Schema>(
  definition: DatabaseDefinition<S>,
  { dataDir, onQuery }: DatabaseOptions,
): Promise<OpenDatabase<S>> {
  const unlock = dataDir === undefined ? () => undefined : await lockFolder(dataDir)
  try {
    const client = await openPglite(dataDir)
    const folder = fileURLToPath(definition.migrations)
    await checkVersion(folder, text => client.query(text).then(({ rows }) => rows)).catch(async error => {
      await client.close()
      throw new Error(`the database in ${dataDir} cannot be opened: ${error.message}`, { cause: error })
    })
    return { ...(await openClient(definition, client, onQuery)), close: () => client.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Migrates an open PGlite and returns it as a service's database. Its `close` leaves PGlite open. */
export async function openClient<S extends Schema>(
  { schema, migrations }: DatabaseDefinition<S>,
  client: PGlite,
  onQuery?: DatabaseOptions['onQuery'],
): Promise<OpenDatabase<S>> {
  await migratePglite(drizzlePglite(client), { migrationsFolder: fileURLToPath(migrations) })
  const prepared = prepareStatements(client)
  const query = observe(prepared.query, onQuery)
  const db = drizzlePglite(prepared.client, { schema, ...logger(onQuery) })
  return { db, query, ping: () => ping(query), close: async () => undefined }
}

function logger(onQuery: DatabaseOptions['onQuery']) {
  return onQuery && { logger: { logQuery: onQuery } }
}

/** Reports each statement, and throws Drizzle's error without the values, which no log may quote. */
function observe(query: Query, onQuery: DatabaseOptions['onQuery']): Query {
  return async (text, values) => {
    onQuery?.(text)
    try {
      return await query(text, values)
    } catch (error) {
      throw new DrizzleQueryError(text, [], error instanceof Error ? error : undefined)
    }
  }
}

async function ping(query: Query): Promise<void> {
  await query('select 1', [])
}

/** Uses a separate connection, because PostgreSQL's lock belongs to the connection. */
async function onOneConnection(url: string, lock: number, work: (single: postgres.Sql) => Promise<void>) {
  const { client: single } = await connect(url, {})
  try {
    await single`select pg_advisory_lock(${lock})`
    await work(single)
  } finally {
    await single.end({ timeout: 5 })
  }
}
