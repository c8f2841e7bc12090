/**
 * Gives each service of a test project its own database on one PostgreSQL, which takes a third of PGlite's processor
 * time. Without PostgreSQL, and in projects without the environment `end-of-run`, they use PGlite in memory.
 */
import { atEndOfRun, hasEndOfRun } from '@keybay/sandbox-tools/end-of-run'
import { POSTGRES } from '@keybay/sandbox-tools/programs'
import connect from 'postgres'
import type { DatabaseOptions, DatabaseService } from '../src/database/options.js'

/** Creates a database, empty by default, and returns its address. */
type Create = (template?: string) => Promise<string>

async function start(): Promise<Create> {
  const { startPostgres } = await import('./postgres.js')
  const { url, stop } = await startPostgres()
  const client = connect(url, { max: 1 })
  atEndOfRun(async () => {
    await client.end()
    stop()
  })
  const [version] = await client`select current_setting('server_version_num')::int >= 150000 as logs_pages`
  // Versions before 15 copy files too. Writing each page to the log takes three times as much processor time.
  const strategy = version?.logs_pages ? 'strategy file_copy' : ''
  let count = 0
  return async (template = 'template1') => {
    const name = `database_${++count}`
    await client.unsafe(`create database ${name} template ${template} ${strategy}`)
    return new URL(name, url).href
  }
}

/** The PostgreSQL of all services in this process. */
let server: Promise<Create> | undefined

/**
 * Returns a function that creates a migrated database and returns its address; undefined where services use PGlite.
 * @param open opens and migrates the service's database
 * @example const newDatabase = createDatabases(openDatabase)
 *   await startApi({ mode: 'sandbox', databaseUrl: await newDatabase() })
 */
export function createDatabases(
  open: (options: DatabaseOptions) => Promise<DatabaseService>,
): () => Promise<string | undefined> {
  let template: Promise<string> | undefined
  const migrate = async (create: Create) => {
    const url = await create()
    await (await open({ url })).close()
    return new URL(url).pathname.slice(1)
  }
  return async () => {
    if (!hasEndOfRun() || !POSTGRES.find(process.env)) return undefined
    server ??= start()
    const create = await server
    template ??= migrate(create)
    return create(await template)
  }
}
