import type { StartUpCheck } from '@keybay/sandbox-service'
import type { Query } from '@keybay/sandbox-service/database'
import * as v from 'valibot'

/** Returns true while a database that confirms a write has it on a second machine. */
export type HasReplica = () => Promise<boolean>

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

const replicaSchema = v.tuple([v.object({ waits: v.boolean(), follows: v.boolean() })])

/**
 * Returns true if commits wait until a standby has flushed them. A role that may not read `pg_stat_replication` does not
 * see the standby; without one no commit would end.
 */
export async function hasSynchronousReplica(query: Query): Promise<boolean> {
  const settings = `select
    current_setting('synchronous_standby_names') <> ''
      and current_setting('synchronous_commit') in ('on', 'remote_apply') as waits,
    exists (select from pg_stat_replication where sync_state in ('sync', 'quorum'))
      or not pg_has_role('pg_read_all_stats', 'usage') as follows`
  const [{ waits, follows }] = v.parse(replicaSchema, [...(await query(settings, []))])
  return waits && follows
}
