import type { StartUpCheck } from '@keybay/sandbox-service'
import type { Query } from '@keybay/sandbox-service/database'
import * as v from 'valibot'

const settingsSchema = v.array(v.object({ name: v.string() }))

/**
 * Adds a problem for each setting of PostgreSQL that loses confirmed writes: a relay that loses its last writes revives
 * what they revoked.
 */
export async function refuseVolatileDatabase(query: Query, check: StartUpCheck): Promise<void> {
  const volatile = `select name from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`
  for (const { name } of v.parse(settingsSchema, [...(await query(volatile, []))]))
    check.add(`PostgreSQL has ${name} = off, so it may lose writes that it confirmed. Set ${name} = on.`)
}
