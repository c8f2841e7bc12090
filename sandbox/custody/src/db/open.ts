/** The service's database: its schema and its migrations, for both kinds that it may run on. */
import { fileURLToPath } from 'node:url'
import { type DatabaseOptions, type OpenDatabase, openDatabase as openShared } from '@keybay/sandbox-service/database'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator'
import * as schema from './schema.js'

export type Database = PgDatabase<PgQueryResultHKT, typeof schema>

const migrations = { migrationsFolder: fileURLToPath(new URL('../../migrations', import.meta.url)) }

export const openDatabase = (options: DatabaseOptions): Promise<OpenDatabase<Database>> => {
  const { onQuery } = options
  const config = { schema, ...(onQuery && { logger: { logQuery: onQuery } }) }
  return openShared<Database>(
    {
      migrationLock: 4_400_000_001,
      pglite: {
        open: client => drizzlePglite(client, config),
        migrate: client => migratePglite(drizzlePglite(client), migrations),
      },
      postgres: {
        open: client => drizzlePostgres(client, config),
        migrate: client => migratePostgres(drizzlePostgres(client), migrations),
      },
    },
    options,
  )
}
