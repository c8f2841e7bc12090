/**
 * Opens a service's database: PGlite in a folder or in memory, or PostgreSQL; the same schema and the same code. Drizzle
 * itself stays with each service: its errors are known by their class, so a service and its queries need one copy of it.
 */
import { mkdirSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import postgres, { type Sql } from 'postgres'
import { prepareStatements } from './statements.js'
import { openPglite } from './template.js'

/** One statement as text, without Drizzle's building of it: for what every signature does. */
export type Query = (text: string, values: readonly (string | number | null)[]) => Promise<readonly unknown[]>

export interface OpenDatabase<Db> {
  readonly db: Db
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

/** Of Drizzle's database. */
interface Executing {
  execute(query: string): PromiseLike<unknown>
}

/** What a service does with a connection of one kind. */
export interface Driver<Client, Db> {
  open(client: Client): Db
  migrate(client: Client): Promise<void>
}

export interface ServiceDatabase<Db> {
  /** Any number that no other program takes: instances that start together migrate one after the other. */
  readonly migrationLock: number
  readonly pglite: Driver<PGlite, Db>
  readonly postgres: Driver<Sql, Db>
}

/** @throws what the driver throws when the database cannot be reached or migrated */
export const openDatabase = async <Db extends Executing>(
  service: ServiceDatabase<Db>,
  { url, dataDir, onQuery }: DatabaseOptions,
): Promise<OpenDatabase<Db>> => {
  if (url !== undefined) {
    const client = postgres(url, { max: 10, onnotice: () => undefined })
    const db = service.postgres.open(client)
    try {
      await migrateAlone(service, url)
    } catch (error) {
      await client.end({ timeout: 1 })
      throw error
    }
    const query = heard((text, values) => client.unsafe(text, [...values], { prepare: true }), onQuery)
    return { db, query, ping: () => ping(db), close: () => client.end({ timeout: 5 }) }
  }
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const client = await openPglite(dataDir)
  await service.pglite.migrate(client)
  const db = service.pglite.open(prepareStatements(client))
  const query = heard(async (text, values) => (await client.query(text, [...values])).rows, onQuery)
  return { db, query, ping: () => ping(db), close: () => client.close() }
}

const heard =
  (query: Query, onQuery: DatabaseOptions['onQuery']): Query =>
  (text, values) => {
    onQuery?.(text)
    return query(text, values)
  }

const ping = async (db: Executing): Promise<void> => {
  await db.execute('select 1')
}

/** On a connection of its own, because the lock belongs to the connection. */
const migrateAlone = async <Db>(service: ServiceDatabase<Db>, url: string): Promise<void> => {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await client`select pg_advisory_lock(${service.migrationLock})`
    await service.postgres.migrate(client)
  } finally {
    await client.end({ timeout: 5 })
  }
}
