/** Tests databases with several hosts: a primary behind a network that fails, and its standby. */
import { sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../src/database/connection.js'
import { defineDatabase, isDatabaseAway } from '../src/database/open.js'
import { type Postgres, startPostgres } from './postgres.js'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

const counts = pgTable('counts', { id: integer('id').primaryKey(), value: integer('value').notNull() })
const openDatabase = defineDatabase({
  schema: { counts },
  migrations: new URL('migrations/', import.meta.url),
  migrationLock: 9,
})

let primary: Postgres
let standbyUrl: string
let network: TcpProxy
let [throughNetwork, toStandby] = ['', '']
beforeAll(async () => {
  primary = await startPostgres()
  standbyUrl = await primary.replicate()
  network = await startTcpProxy(Number(new URL(primary.url).port))
  throughNetwork = `127.0.0.1:${network.port}`
  toStandby = new URL(standbyUrl).host
}, 120_000)
afterAll(() => {
  network?.stop()
  primary?.stop()
})

function getUrl(hosts: readonly string[]): string {
  return `postgres://keybay@${hosts.join(',')}/postgres?target_session_attrs=read-write&statement_timeout=1000`
}

async function run(url: string, statement: string): Promise<postgres.RowList<postgres.Row[]>> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await client.unsafe(statement)
  } finally {
    await client.end()
  }
}

/** @returns the error, which must be one of a database that is away */
async function getFailure(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect([error, isDatabaseAway(error)]).toEqual([expect.any(Error), true])
  return error
}

it('uses the primary, wherever it is in the list of hosts', async () => {
  for (const hosts of [
    [throughNetwork, toStandby],
    [toStandby, throughNetwork],
  ]) {
    const { client } = await connect(getUrl(hosts), {})
    expect(await client`show transaction_read_only`).toEqual([{ transaction_read_only: 'off' }])
    await client.end()
  }
  const { client } = await connect(standbyUrl, {})
  expect(await client`show transaction_read_only`).toEqual([{ transaction_read_only: 'on' }])
  await client.end()
})

it('names why it uses no host when none accepts writes', async () => {
  const error = await getFailure(connect(getUrl([toStandby, '127.0.0.1:1']), {}))
  expect(String(error)).toBe(
    `Error: No host of the database accepts writes: ${toStandby} (a standby), 127.0.0.1:1 (ECONNREFUSED).`,
  )
  await expect(openDatabase({ url: getUrl([toStandby, '127.0.0.1:1']) })).rejects.toThrow(
    `the database at ${toStandby}, 127.0.0.1:1 cannot be opened: No host`,
  )
})

it('connects elsewhere after a server refused to write', async () => {
  const { query, close } = await openDatabase({ url: getUrl([throughNetwork, toStandby]) })
  const getProcess = () => query('select pg_backend_pid()', [])
  const [before] = await getProcess()
  await getFailure(query('begin read only', []).then(() => query('update counts set value = 1', [])))
  const [after] = await getProcess()
  expect(after).not.toEqual(before)
  await close()
})

it('leaves a primary whose network fails for the promoted standby, with all that waits for it', async () => {
  const { db, query, close, getPoolUse } = await openDatabase({ url: getUrl([throughNetwork, toStandby]) })
  await query('insert into counts values (1, 0)', [])
  // The pool then has three connections.
  await Promise.all(Array.from({ length: 3 }, () => query('select pg_sleep(0.1)', [])))
  await expect.poll(() => run(standbyUrl, 'select value from counts')).toEqual([{ value: 0 }])
  let onCut = () => {}
  const cut = new Promise<void>(resolve => (onCut = resolve))
  const commit = db.transaction(async tx => {
    await tx.update(counts).set({ value: sql`value + 1` })
    network.cut()
    onCut()
  })
  await cut
  const failures = Promise.all([getFailure(commit), getFailure(query('select 1', []))])
  await run(standbyUrl, 'select pg_promote()')
  await failures
  // Connecting does not wait for the network, and no connection to the old primary is left.
  const started = performance.now()
  const rows = await Promise.all(Array.from({ length: 10 }, () => query('select inet_server_port() as port', [])))
  expect(performance.now() - started).toBeLessThan(4_000)
  expect(rows.flat()).toEqual(Array(10).fill({ port: Number(new URL(standbyUrl).port) }))
  await db.update(counts).set({ value: sql`value + 1` })
  // The standby had not received the transaction, of which the service has got no confirmation.
  expect(await query('select value from counts', [])).toEqual([{ value: 1 }])
  expect(getPoolUse?.()).toEqual({ most: 10, busy: 0, waiting: 0, timedOut: 0 })
  await close()
})
