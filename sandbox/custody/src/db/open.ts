/** Custody database: schema and migration. */
import { type DatabaseDefinition, type DatabaseOf, defineDatabase } from '@keybay/sandbox-service/database'
import type { ArchivedTable } from '@keybay/sandbox-service/operated'
import * as schema from './schema.js'

export type Database = DatabaseOf<typeof schema>

/** As an erasure in the database: nothing stays of the organization's own activities, and no user of its creation. */
function eraseActivity(row: object, isErased: (id: unknown) => boolean): object | undefined {
  if (isErased(Reflect.get(row, 'organization_id'))) return undefined
  const made = Object(Reflect.get(row, 'result')).createSubOrganizationResultV8
  return isErased(Object(made).subOrganizationId) ? { ...row, parameters: {} } : row
}

/** Tables that are partitioned by month. */
export const MONTHLY: readonly ArchivedTable[] = [
  {
    table: 'audit',
    time: 'at',
    isAppendOnly: true,
    chain: 'organization_id',
    order: 'organization_id collate "C", sequence',
  },
  {
    table: 'activities',
    time: 'created_at',
    isAppendOnly: false,
    order: 'created_at, id',
    closed: `status in ('ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED')`,
    children: { table: 'votes', by: 'activity_id' },
    erasure: { erased: 'select id from organizations where erased_at is not null', erase: eraseActivity },
  },
]

export const definition: DatabaseDefinition<typeof schema> = {
  schema,
  migrations: new URL('../../migrations', import.meta.url),
  migrationLock: 4_400_000_001,
}

export const openDatabase = defineDatabase(definition)
