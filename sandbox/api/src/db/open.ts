/** Defines the API's database: its schema and its migration. */
import { type DatabaseDefinition, type DatabaseOf, defineDatabase } from '@keybay/sandbox-service/database'
import * as schema from './schema.js'

export type Database = DatabaseOf<typeof schema>

export const definition: DatabaseDefinition<typeof schema> = {
  schema,
  migrations: new URL('../../migrations', import.meta.url),
  migrationLock: 4_100_000_001,
}

export const openDatabase = defineDatabase(definition)
