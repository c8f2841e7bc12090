/** Opens the database: PGlite in a folder or in memory, or PostgreSQL; the same schema and the same code. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import * as schema from './schema.js'

export type Database = PgDatabase<PgQueryResultHKT, typeof schema>

export interface OpenDatabase {
  readonly db: Database
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

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
/** Any number that no other program takes: instances that start together migrate one after the other. */
const MIGRATION_LOCK = 4_100_000_001

export const openDatabase = async ({ url, dataDir, onQuery }: DatabaseOptions): Promise<OpenDatabase> => {
  const config = { schema, ...(onQuery && { logger: { logQuery: onQuery } }) }
  if (url !== undefined) {
    const client = postgres(url, { max: 10, onnotice: () => undefined })
    const db = drizzlePostgres(client, config)
    try {
      await migrateAlone(url)
    } catch (error) {
      await client.end({ timeout: 1 })
      throw error
    }
    return { db, ping: () => ping(db), close: () => client.end({ timeout: 5 }) }
  }
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const client = await PGlite.create(dataDir ?? 'memory://')
  const db = drizzlePglite(client, config)
  await migratePglite(db, { migrationsFolder })
  return { db, ping: () => ping(db), close: () => client.close() }
}

const ping = async (db: Database): Promise<void> => {
  await db.execute(sql`select 1`)
}

/** On a connection of its own, because the lock belongs to the connection. */
const migrateAlone = async (url: string): Promise<void> => {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`
    await migratePostgres(drizzlePostgres(client), { migrationsFolder })
  } finally {
    await client.end({ timeout: 5 })
  }
}
