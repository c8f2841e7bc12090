/** The API’s database: its schema and its migrations. */
import {
  type DatabaseOf,
  type DatabaseOptions,
  type OpenDatabase,
  openDatabase as open,
} from '@keybay/sandbox-service/database'
import * as schema from './schema.js'

export type Database = DatabaseOf<typeof schema>

export function openDatabase(options: DatabaseOptions): Promise<OpenDatabase<typeof schema>> {
  return open(
    { schema, migrations: new URL('../../migrations', import.meta.url), migrationLock: 4_100_000_001 },
    options,
  )
}
