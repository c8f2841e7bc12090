/** Relay database: schema and migration. */
import { type DatabaseOf, defineDatabase } from '@keybay/sandbox-service/database'
import * as schema from './schema.js'

export type Database = DatabaseOf<typeof schema>

export const openDatabase = defineDatabase({
  schema,
  migrations: new URL('../../migrations', import.meta.url),
  migrationLock: 4_300_000_001,
})
