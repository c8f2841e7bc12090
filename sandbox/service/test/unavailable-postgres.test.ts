/** Tests what a service answers while its PostgreSQL is away, full, locked or slow, and after it is back. */
import { sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defineDatabase } from '../src/database/open.js'
import { defineService, type Service, type ServiceOptions } from '../src/define-service.js'
import { answerRequest, HttpError } from '../src/http/index.js'
import { readMetrics } from './exposition.js'
import { type Postgres, startPostgres } from './postgres.js'

const counts = pgTable('counts', { id: integer('id').primaryKey(), value: integer('value').notNull() })
const openDatabase = defineDatabase({
  schema: { counts },
  migrations: new URL('migrations/', import.meta.url),
  migrationLock: 9,
})
const internalError = { code: 'internal_error', message: 'Something went wrong on our side.' }
const serviceUnavailable = { code: 'service_unavailable', message: 'Try again later.' }

/** Has a route for each way in which services use their database. */
const startDemo = defineService<ServiceOptions, object>({
  name: 'demo',
  async create({ openDatabase: open }) {
    const { db, query } = await open(openDatabase)
    const work: Readonly<Record<string, () => Promise<unknown>>> = {
      read: () => db.select().from(counts),
      query: () => query('update counts set value = value + $1', [1]),
      transaction: () => db.transaction(async tx => tx.update(counts).set({ value: sql`value + 1` })),
      slow: () => query('select pg_sleep(20)', []),
      // Holds its connection while it waits for another service.
      twice: () =>
        db.transaction(async tx => {
          await tx.update(counts).set({ value: sql`value + 1` }).where(sql`id = 1`)
          await tx.update(counts).set({ value: sql`value + 1` }).where(sql`id = 2`)
        }),
      idle: () =>
        db.transaction(async tx => {
          await tx.select().from(counts)
          await new Promise<void>(resolve => release.add(resolve))
          await tx.update(counts).set({ value: 0 })
        }),
      wrong: () => query('select missing from counts', []),
    }
    return ({ app }) => {
      for (const [name, run] of Object.entries(work))
        app.get(`/${name}`, c =>
          answerRequest(
            c,
            {
              log: () => undefined,
              route: name,
              knownFailure: () => undefined,
              internalError: details => new HttpError(internalError, 500, details),
              serviceUnavailable: details => new HttpError(serviceUnavailable, 503, details),
            },
            async () => ({ status: 200, value: { done: (await run()) !== null } }),
          ),
        )
      return { facts: {} }
    }
  },
})
const release = new Set<() => void>()

const AWAY = {
  status: 503,
  retryAfter: expect.stringMatching(/^[1-9]\d?$/),
  body: { ...serviceUnavailable, details: { service: 'database', retryAfter: expect.any(Number) } },
}

describe('a PostgreSQL', { timeout: 60_000 }, () => {
  let server: Postgres
  let service: Service
  let admin: postgres.Sql
  const ask = async (path: string) => {
    const response = await fetch(`${service.internalUrl}/${path}`)
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() }
  }
  const getStatus = async (path: string) => (await ask(path)).status
  const restart = async (url: string) => {
    await service?.stop()
    service = await startDemo({ databaseUrl: url, mode: 'sandbox', metrics: { port: 0, host: '127.0.0.1' } })
  }
  const terminateAll = () =>
    admin`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and state is not null`
  beforeAll(async () => {
    server = await startPostgres()
    admin = postgres(server.url, { max: 1, onnotice: () => undefined })
    await restart(server.url)
    await admin`insert into counts values (1, 0)`
  }, 300_000)
  afterEach(() => {
    for (const resolve of release) resolve()
    release.clear()
  })
  afterAll(async () => {
    await service?.stop()
    await admin?.end()
    server?.stop()
  })

  it('serves a light load after a burst with one of its connections, whose caches stay warm', async () => {
    const backends = async () => {
      const rows = await admin<{ pid: number; at: string }[]>`
        select pid, state_change::text as at from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`
      return new Map(rows.map(({ pid, at }) => [pid, at]))
    }
    await Promise.all(Array.from({ length: 8 }, () => getStatus('transaction')))
    const before = await backends()
    expect(before.size).toBeGreaterThan(2)
    for (let count = 0; count < 5; count++) expect(await getStatus('read')).toBe(200)
    const used = [...(await backends())].filter(([pid, at]) => before.get(pid) !== at)
    expect(used).toHaveLength(1)
  })

  it('that was killed is 503 with Retry-After for every kind of use, and 200 once it is back', async () => {
    const paths = ['read', 'query', 'transaction']
    for (const path of paths) expect(await getStatus(path)).toBe(200)
    server.halt()
    try {
      for (const _ of ['closed connections', 'refused connections'])
        for (const path of paths) expect(await ask(path), path).toEqual(AWAY)
      expect(await getStatus('ready')).toBe(503)
      expect(await getStatus('health')).toBe(200)
      // More requests than connections, which postgres.js would queue.
      const many = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(paths[index % 3] ?? '')))
      for (const answer of many) expect(answer).toEqual(AWAY)
    } finally {
      server.resume()
    }
    await expect.poll(() => getStatus('ready')).toBe(200)
    for (const path of paths) expect(await getStatus(path)).toBe(200)
  })

  it('that is killed during a statement, and during a transaction, is 503', async () => {
    const running = [ask('slow'), ask('idle')]
    await expect.poll(() => release.size).toBe(1)
    await terminateAll()
    for (const resolve of release) resolve()
    for (const answer of await Promise.all(running)) expect(answer).toEqual(AWAY)
    expect(await getStatus('transaction')).toBe(200)
  })

  it('whose connections are killed again and again ends no process and leaves no transaction half done', async () => {
    await admin`delete from counts`
    await admin`insert into counts values (1, 0), (2, 0)`
    let done = 0
    for (let round = 0; round < 30; round++) {
      const paths = Array.from({ length: 20 }, (_, index) => (index % 4 === 0 ? 'read' : 'twice'))
      const asked = paths.map(path => getStatus(path))
      await terminateAll()
      const statuses = await Promise.all(asked)
      for (const status of statuses) expect([200, 503]).toContain(status)
      done += statuses.filter((status, index) => status === 200 && paths[index] === 'twice').length
    }
    const [one, two] = await admin`select value from counts order by id`
    expect(one).toEqual(two)
    // A transaction may be committed although its connection was killed before the answer.
    expect(one?.value).toBeGreaterThanOrEqual(done)
    const started = performance.now()
    expect(await Promise.all(Array.from({ length: 20 }, () => getStatus('twice')))).toEqual(Array(20).fill(200))
    expect(performance.now() - started).toBeLessThan(2_000)
    await admin`delete from counts where id = 2`
  })

  it('whose row is locked is 503 by the lock time-out, and what does not need the row is 200', async () => {
    await restart(`${server.url}?lock_timeout=300`)
    await admin.begin(async tx => {
      await tx`select * from counts for update`
      expect(await ask('query')).toEqual(AWAY)
      expect(await ask('transaction')).toEqual(AWAY)
      expect(await getStatus('read')).toBe(200)
    })
    expect(await getStatus('query')).toBe(200)
  })

  it('that is slower than the statement time-out is 503', async () => {
    await restart(`${server.url}?statement_timeout=1000`)
    expect(await ask('slow')).toEqual(AWAY)
  })

  it('whose connections are all taken is 503 for a request that waits too long, and nothing of it runs later', async () => {
    await restart(`${server.url}?idle_in_transaction_session_timeout=20000`)
    await admin`update counts set value = 0`
    const holding = Array.from({ length: 10 }, () => ask('idle'))
    await expect.poll(() => release.size).toBe(10)
    const started = performance.now()
    const late = Promise.all([ask('query'), ask('transaction')])
    const getPoolUse = async () => {
      const values = await readMetrics(service)
      const names = ['connections_max', 'connections_busy', 'waiting', 'pool_timeouts_total']
      return names.map(name => values.get(`keybay_database_${name}`))
    }
    await expect.poll(getPoolUse).toEqual([10, 10, 2, 0])
    expect(await late).toEqual([AWAY, AWAY])
    expect(await getPoolUse()).toEqual([10, 10, 0, 2])
    expect(performance.now() - started).toBeLessThan(8_000)
    expect(await getStatus('ready')).toBe(503)
    for (const resolve of release) resolve()
    await Promise.all(holding)
    expect(await admin`select value from counts`).toEqual([{ value: 0 }])
    expect(await getStatus('query')).toBe(200)
  })

  it('ends a transaction that its program left idle, and the request is 503', async () => {
    await restart(`${server.url}?idle_in_transaction_session_timeout=1000`)
    const holding = ask('idle')
    await expect.poll(() => release.size).toBe(1)
    await expect
      .poll(() => admin`select 1 from pg_stat_activity where state like 'idle in%'`.then(rows => rows.length))
      .toBe(0)
    for (const resolve of release) resolve()
    expect(await holding).toEqual(AWAY)
  })

  it('that accepts no more connections is 503', async () => {
    await admin`create role guest login`
    await admin`create database guests owner guest`
    await restart(server.url.replace('keybay@', 'guest@').replace(/postgres$/, 'guests'))
    await admin`alter role guest connection limit 0`
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'guest'`
    expect(await ask('read')).toEqual(AWAY)
    await admin`alter role guest connection limit -1`
    await expect.poll(() => getStatus('read')).toBe(200)
  })

  it('that refuses a statement of the service itself is 500, because a retry does not help', async () => {
    await restart(server.url)
    expect(await ask('wrong')).toMatchObject({ status: 500, retryAfter: null, body: { code: 'internal_error' } })
  })

  it('gives every connection time-outs of the server', async () => {
    const { query, close } = await openDatabase({ url: server.url })
    const rows = await query(
      "select name, setting from pg_settings where name ~ '^(statement|lock|idle_in_transaction_session)_timeout$'",
      [],
    )
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row).toMatchObject({ setting: expect.stringMatching(/^[1-9]\d{3,4}$/) })
    await close()
  })
})
