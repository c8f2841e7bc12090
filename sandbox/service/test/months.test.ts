/** Tests the partitions of months, on PGlite, and with writes at the same time on PostgreSQL. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import { sql } from 'drizzle-orm/sql'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveMonths } from '../src/archive.js'
import { listPartitions, type MonthlyTable, makeMonths } from '../src/database/months.js'
import { type DatabaseOf, openPglite, type Schema } from '../src/database/open.js'
import { type Postgres, startPostgres } from './postgres.js'
import { temporaryFolder } from './temporary-folder.js'

const TABLE = `create table log (id text not null, at bigint not null, primary key (id, at)) partition by range (at);
  create table log_default partition of log default;
  create function is_append_only() returns trigger language plpgsql as $$ begin raise exception 'append-only'; end $$;
  create trigger log_is_append_only before update or delete or truncate on log for each statement execute function is_append_only();
  create trigger log_is_append_only before update or delete or truncate on log_default for each statement execute function is_append_only()`
const MONTHLY: readonly MonthlyTable[] = [{ table: 'log', time: 'at', isAppendOnly: true }]
const NOVEMBER = Date.UTC(2026, 10, 29)

async function getNames(db: DatabaseOf<Schema>): Promise<readonly string[]> {
  return (await listPartitions(db, 'log')).names
}

async function write(db: DatabaseOf<Schema>, id: string, at: number): Promise<void> {
  await db.execute(sql`insert into log values (${id}, ${at})`)
}

describe('on PGlite', () => {
  const places = (client: Awaited<ReturnType<typeof openPglite>>) =>
    client
      .query<{ id: string; place: string }>('select id, tableoid::regclass::text as place from log order by at')
      .then(({ rows }) => Object.fromEntries(rows.map(({ id, place }) => [id, place])))

  it('makes this month and the next two, once, and a write in another month is not refused', async () => {
    const client = await openPglite(undefined)
    const db = drizzlePglite(client)
    await client.exec(TABLE)
    await write(db, 'before the first sweep', NOVEMBER)
    await write(db, 'from a clock in 1970', 5)
    await makeMonths(db, MONTHLY, NOVEMBER)
    await makeMonths(db, MONTHLY, NOVEMBER)
    expect(await getNames(db)).toEqual(['log_2026_11', 'log_2026_12', 'log_2027_01', 'log_default'])
    await write(db, 'in the last millisecond', Date.UTC(2026, 11, 1) - 1)
    await write(db, 'in December', Date.UTC(2026, 11, 1))
    await write(db, 'a year ahead', Date.UTC(2027, 10, 29))
    expect(await places(client)).toEqual({
      'from a clock in 1970': 'log_default',
      'before the first sweep': 'log_2026_11',
      'in the last millisecond': 'log_2026_11',
      'in December': 'log_2026_12',
      'a year ahead': 'log_default',
    })
    await client.close()
  })

  it('a clock that jumps a year and back gets its months, and what was written there moves to them', async () => {
    const client = await openPglite(undefined)
    const db = drizzlePglite(client)
    await client.exec(TABLE)
    await makeMonths(db, MONTHLY, NOVEMBER)
    await write(db, 'a year ahead', Date.UTC(2027, 10, 29))
    await write(db, 'a year behind', Date.UTC(2025, 10, 29))
    await makeMonths(db, MONTHLY, Date.UTC(2027, 10, 29))
    await makeMonths(db, MONTHLY, NOVEMBER)
    expect(await places(client)).toEqual({ 'a year ahead': 'log_2027_11', 'a year behind': 'log_default' })
    for (const place of ['log', 'log_2027_11', 'log_default'])
      for (const statement of [`delete from ${place}`, `update ${place} set id = 'x'`, `truncate ${place}`])
        await expect(client.exec(statement), statement).rejects.toThrow('append-only')
    await client.close()
  })
})

describe('on PostgreSQL', () => {
  let server: Postgres
  let client: postgres.Sql
  beforeAll(async () => {
    server = await startPostgres()
    client = postgres(server.url, { max: 4, onnotice: () => undefined })
    await client.unsafe(TABLE)
  }, 300_000)
  afterAll(async () => {
    await client?.end()
    server?.stop()
  })

  it('two instances make months while others write into them, and no row is lost or refused', async () => {
    const db = drizzlePostgres(client)
    const writes = Array.from({ length: 300 }, (_, n) => write(db, `row ${n}`, NOVEMBER + n))
    await Promise.all([...writes, makeMonths(db, MONTHLY, NOVEMBER), makeMonths(db, MONTHLY, NOVEMBER)])
    await makeMonths(db, MONTHLY, NOVEMBER)
    const [row] = await client`select count(*)::int as rows from log_2026_11`
    expect(row).toEqual({ rows: 300 })
  })

  it('a write that waits while its month is made is not refused', async () => {
    const db = drizzlePostgres(client)
    const march = Date.UTC(2028, 2, 1)
    const countWaiting = async () => (await client`select 1 from pg_locks where not granted`).length
    const first = await client.reserve()
    await first.unsafe(`begin; insert into log values ('before', ${march})`)
    const made = makeMonths(db, MONTHLY, march)
    while ((await countWaiting()) < 1);
    const written = client.unsafe(`insert into log values ('while it waits', ${march + 1})`).execute()
    while ((await countWaiting()) < 2);
    await first.unsafe('commit')
    first.release()
    await Promise.all([made, written])
    const [row] = await client`select count(*)::int as rows from log_2028_03`
    expect(row).toEqual({ rows: 2 })
  })

  it('a row that is written into an empty month while it is archived is in the file', async () => {
    const january = Date.UTC(2025, 0)
    await client.unsafe('create table archives (file text, rows integer, sha256 text, archived_at bigint)')
    for (const now of [january, NOVEMBER]) await makeMonths(drizzlePostgres(client), MONTHLY, now)
    const first = await client.reserve()
    await first.unsafe(`begin; insert into log values ('by a wrong clock', ${january})`)
    const folder = temporaryFolder()
    const tables = [{ table: 'log', time: 'at', isAppendOnly: true, order: 'at' }]
    const archived = archiveMonths({ url: server.url, service: 'demo', tables, folder, months: 2, now: NOVEMBER })
    while ((await client`select 1 from pg_locks where not granted`).length < 1);
    await first.unsafe('commit')
    first.release()
    await archived
    expect(readFileSync(join(folder, 'demo-log-2025-01.jsonl'), 'utf8')).toContain('by a wrong clock')
  })

  it('does nothing for a role that does not own the table, whose writes still work', async () => {
    await client.unsafe('create role service login; grant select, insert on log to service')
    const own = postgres(server.url, { max: 1, username: 'service' })
    const db = drizzlePostgres(own)
    await makeMonths(db, MONTHLY, Date.UTC(2030, 0))
    await write(db, 'in 2030', Date.UTC(2030, 0))
    await own.end()
    expect(await getNames(drizzlePostgres(client))).not.toContain('log_2030_01')
  })
})
