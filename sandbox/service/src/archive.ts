/**
 * Archives months: writes each to a file of JSON lines, checks the file, and only then drops the partition. Everything
 * that the database forgets or remembers of a month happens in one transaction, so a run that was killed is run again.
 */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import * as v from 'valibot'
import type { RowErasure } from './archive-erasure.js'
import { connect } from './database/connection.js'
import {
  formatMonth,
  getMonthStatements,
  getPartition,
  listPartitions,
  type MonthlyTable,
  makeMonths,
  startOfMonth,
} from './database/months.js'
import { makeFolder, replaceFile } from './files.js'

/** Least number of whole months that stay: an erasure reads the log of its 14 days, and may be late. */
const LEAST_MONTHS = 2

export interface ArchivedTable extends MonthlyTable {
  /** Order of the lines. */
  readonly order: string
  /** Column of the chain that an entry belongs to, in a table of audit entries. */
  readonly chain?: string
  /** Condition of rows that change no more; the others stay in the database. Default: all. */
  readonly closed?: string
  /** Rows of another table that belong to these, and go with them, by the column that has their `id`. */
  readonly children?: { readonly table: string; readonly by: string }
  /** How rows lose what belongs to erased owners. Absent: they name no user. */
  readonly erasure?: RowErasure
}

export interface ArchiveOptions {
  readonly url: string | undefined
  /** Name of the service, for file names. */
  readonly service: string
  readonly tables: readonly ArchivedTable[]
  readonly folder: string
  /** Number of whole months before the current one that stay. */
  readonly months: number
  /** ms since epoch */
  readonly now: number
}

interface Month {
  readonly table: ArchivedTable
  readonly partition: string
  readonly file: string
}

export interface Written {
  readonly rows: number
  readonly sha256: string
}

/** A connection, or a transaction of it. */
type Sql = Pick<postgres.Sql, 'unsafe'>

const lineSchema = v.array(v.object({ line: v.string() }))
const numberSchema = v.tuple([v.object({ number: v.pipe(v.union([v.string(), v.number()]), v.transform(Number)) })])

async function readNumber(sql: Sql, text: string): Promise<number> {
  return v.parse(numberSchema, [...(await sql.unsafe(text))])[0].number
}

function getLines({ table: { order, children, closed = 'true' }, partition }: Month): string {
  const theirs = children
    ? `, (select coalesce(json_agg(c), '[]') from ${children.table} c where c.${children.by} = p.id) as ${children.table}`
    : ''
  return `select row_to_json(r)::text as line from (select p.*${theirs} from ${partition} p where ${closed} order by ${order}) r`
}

export async function hashFile(path: string): Promise<Written> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    for (const byte of chunk) if (byte === 10) rows++
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Writes the rows of a month to a draft, and renames it once a second reading of the file gives what was written. */
async function writeMonth(sql: Sql, folder: string, month: Month): Promise<Written> {
  const path = join(folder, month.file)
  const draft = `${path}.draft`
  const hash = createHash('sha256')
  let rows = 0
  const handle = openSync(draft, 'w', 0o600)
  try {
    for await (const chunk of sql.unsafe(getLines(month)).cursor(1_000)) {
      const lines = v.parse(lineSchema, [...chunk])
      const text = lines.map(({ line }) => `${line}\n`).join('')
      writeSync(handle, text)
      hash.update(text)
      rows += lines.length
    }
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  const written = { rows, sha256: hash.digest('hex') }
  const stored = await hashFile(draft)
  if (stored.sha256 !== written.sha256 || stored.rows !== rows)
    throw new Error(`${draft} does not hold what was written to it. Check the disk, and run this again.`)
  if (existsSync(path) && (await hashFile(path)).sha256 !== written.sha256)
    throw new Error(`${path} exists and holds something else. Move it away, and run this again.`)
  renameSync(draft, path)
  replaceFile(`${path}.sha256`, `${written.sha256}  ${month.file}\n`)
  return written
}

/** A queue behind a long transaction would hold up every write. */
const LIMIT_WAIT = "set local lock_timeout = '2s'"

/** As in the making of a month: a write that waited for the partition would be refused. */
async function stopWrites(sql: Sql, { table, partition }: Pick<Month, 'table' | 'partition'>): Promise<void> {
  await sql.unsafe(`lock table only ${table.table} in share row exclusive mode`)
  await sql.unsafe(`lock table ${partition} in share mode`)
}

/** Drops a month without rows. @returns false if it has some, perhaps of a transaction that has ended just now */
function dropEmpty(client: postgres.Sql, table: ArchivedTable, partition: string): Promise<boolean> {
  return client.begin(async sql => {
    await sql.unsafe(LIMIT_WAIT)
    await stopWrites(sql, { table, partition })
    const isEmpty = (await countSome(sql, partition)) === 0
    if (isEmpty) await sql.unsafe(`drop table ${partition}`)
    return isEmpty
  })
}

/** Returns 0 for a table without rows, else 1. */
function countSome(sql: Sql, table: string): Promise<number> {
  return readNumber(sql, `select count(*) as number from (select 1 from ${table} limit 1) r`)
}

/** Forgets a month whose file is complete. @throws Error when the month has changed since it was written */
function dropMonth(client: postgres.Sql, month: Month, { rows, sha256 }: Written, now: number): Promise<void> {
  const { table, partition, file } = month
  const { chain, children, closed = 'true' } = table
  return client.begin(async sql => {
    await sql.unsafe(LIMIT_WAIT)
    if (chain)
      await sql.unsafe(`insert into audit_checkpoints (id, sequence, hash)
        select distinct on (${chain}) ${chain}, sequence, hash from ${partition} order by ${chain}, sequence desc
        on conflict (id) do update set sequence = excluded.sequence, hash = excluded.hash
        where audit_checkpoints.sequence < excluded.sequence`)
    if (children)
      await sql.unsafe(
        `delete from ${children.table} where ${children.by} in (select id from ${partition} where ${closed})`,
      )
    await sql`insert into archives (file, rows, sha256, archived_at) values (${file}, ${rows}, ${sha256}, ${now})`
    await stopWrites(sql, month)
    // Rows of a closed month are only added or removed, so their number tells of every change.
    if ((await readNumber(sql, `select count(*) as number from ${partition} where ${closed}`)) !== rows)
      throw new Error(`${partition} has changed while it was archived. Nothing was dropped: run this again.`)
    await sql.unsafe(`alter table ${table.table} detach partition ${partition}`)
    await sql.unsafe(`insert into ${table.table} select * from ${partition} where not (${closed})`)
    await sql.unsafe(`drop table ${partition}`)
  })
}

const monthsSchema = v.array(v.object({ month: v.pipe(v.string(), v.transform(Number)) }))

/** Makes partitions for old rows of the default partition, which clocks that were wrong wrote. */
async function sortOut(client: postgres.Sql, table: ArchivedTable, before: number): Promise<void> {
  const { time, closed = 'true' } = table
  const rows = await client.unsafe(`select distinct (extract(epoch from date_trunc('month',
      to_timestamp(${time} / 1000.0) at time zone 'UTC') at time zone 'UTC') * 1000)::bigint::text as month
    from ${table.table}_default where ${time} < ${before} and ${closed}`)
  const { names } = await listPartitions(drizzle(client), table.table)
  for (const { month } of v.parse(monthsSchema, [...rows]))
    if (!names.includes(getPartition(table.table, month)))
      await client.begin(async sql => {
        for (const statement of getMonthStatements(table, month)) await sql.unsafe(statement)
      })
}

/** Returns a new name for a file of a month: a month that got rows later has several. */
async function nameFile(client: Sql, service: string, table: string, month: string): Promise<string> {
  const stem = `${service}-${table}-${month}`
  const known = await readNumber(client, `select count(*) as number from archives where file like '${stem}%'`)
  return `${stem}${known > 0 ? `.${known + 1}` : ''}.jsonl`
}

async function archiveTable(client: postgres.Sql, table: ArchivedTable, options: ArchiveOptions, before: number) {
  const lines: string[] = []
  await sortOut(client, table, before)
  const { names } = await listPartitions(drizzle(client), table.table)
  const last = getPartition(table.table, before)
  // Names of months have the order of time.
  for (const partition of names.filter(name => name !== `${table.table}_default` && name < last)) {
    if ((await countSome(client, partition)) === 0 && (await dropEmpty(client, table, partition))) continue
    const month = partition.slice(table.table.length + 1).replace('_', '-')
    const file = await nameFile(client, options.service, table.table, month)
    const written = await writeMonth(client, options.folder, { table, partition, file })
    await dropMonth(client, { table, partition, file }, written, options.now)
    lines.push(`${options.service}: ${written.rows} rows of ${table.table} of ${month} are in ${file}.`)
  }
  return lines
}

/**
 * Archives the months before the last `months` whole ones.
 * @returns a line for each file
 * @throws Error that says what to do; the database then still has every month that is in no file
 */
export async function archiveMonths(options: ArchiveOptions): Promise<readonly string[]> {
  const { url, tables, folder, months, now } = options
  if (url === undefined) throw new Error('No database is set.')
  if (!Number.isInteger(months) || months < LEAST_MONTHS)
    throw new Error(`Keep ${LEAST_MONTHS} months or more in the database: --months <number>`)
  makeFolder(folder)
  const { client } = await connect(url, { statement_timeout: 0 })
  try {
    await client`select pg_advisory_lock(hashtext('archive'))`
    const databaseNow = await readNumber(client, 'select floor(extract(epoch from now()) * 1000) as number')
    // With one wrong clock nothing is archived too early.
    const earliest = Math.min(now, databaseNow)
    await makeMonths(drizzle(client), tables, earliest)
    const before = startOfMonth(earliest, -months)
    const lines: string[] = []
    for (const table of tables) lines.push(...(await archiveTable(client, table, options, before)))
    return lines.length > 0 ? lines : [`${options.service}: no month before ${formatMonth(before)} is in the database.`]
  } finally {
    await client.end({ timeout: 5 })
  }
}
