/** Relay database: schema and migration. */
import {
  type DatabaseDefinition,
  type DatabaseOf,
  defineDatabase,
  type OpenDatabaseFunction,
} from '@keybay/sandbox-service/database'
import type { ArchivedTable } from '@keybay/sandbox-service/operated'
import * as schema from './schema.js'

export type Database = DatabaseOf<typeof schema>

/** Tables that are partitioned by month. */
export const MONTHLY: readonly ArchivedTable[] = [
  { table: 'audit', time: 'at', isAppendOnly: true, chain: 'set_id', order: 'set_id collate "C", sequence' },
]

export const definition: DatabaseDefinition<typeof schema> = {
  schema,
  migrations: new URL('../../migrations', import.meta.url),
  migrationLock: 4_300_000_001,
}

export const openDatabase: OpenDatabaseFunction<typeof schema> = defineDatabase(definition)
