/**
 * Gives each service of a test project its own database on one PostgreSQL, which takes a third of PGlite's processor
 * time. Without PostgreSQL, and in projects without the environment `end-of-run`, they use PGlite in memory.
 */
import { atEndOfRun, hasEndOfRun } from '@keybay/sandbox-tools/end-of-run'
import { POSTGRES } from '@keybay/sandbox-tools/programs'
import type { DatabaseOptions, DatabaseService } from '../src/database/options.js'

const TEMPLATE = 'migrated'

/**
 * Returns a function that creates a migrated database and returns its address; undefined where services use PGlite.
 * @param open opens and migrates the service's database
 * @example const newDatabase = createDatabases(openDatabase)
 *   await startApi({ mode: 'sandbox', databaseUrl: await newDatabase() })
 */
export function createDatabases(
  open: (options: DatabaseOptions) => Promise<DatabaseService>,
): () => Promise<string | undefined> {
  let count = 0
  let starting: ReturnType<typeof start> | undefined
  const start = async () => {
    const { startPostgres } = await import('./postgres.js')
    const postgres = await startPostgres()
    atEndOfRun(postgres.stop)
    const migrated = await open({ url: postgres.create(TEMPLATE) })
    await migrated.close()
    return postgres
  }
  return async () => {
    if (!hasEndOfRun() || !POSTGRES.find(process.env)) return undefined
    starting ??= start()
    return (await starting).create(`database_${++count}`, TEMPLATE)
  }
}
