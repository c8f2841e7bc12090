/** Tests PGlite as opened by this package: copied from a template, with prepared statements. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PGlite } from '@electric-sql/pglite'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/database/open.js'
import { prepareStatements } from '../src/database/statements.js'
import { openPglite } from '../src/database/template.js'
import { isDatabaseAway } from '../src/database/unavailable.js'

const folder = mkdtempSync(join(tmpdir(), 'keybay-db-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function closing<T>(client: PGlite, use: (client: PGlite) => Promise<T>): Promise<T> {
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

describe('a new database', () => {
  const template = join(folder, 'cache', 'template.tar.gz')
  const dataDir = join(folder, 'db')
  const make = (client: PGlite) => client.exec('create table kept (n int); insert into kept values (7)')
  const read = async (client: PGlite) => (await client.query<{ n: number }>('select n from kept')).rows

  it('an empty new database is kept as a template, and the next databases are persistent copies', async () => {
    await closing(await openPglite(undefined, template), make)
    expect(statSync(template).size).toBeGreaterThan(1_000_000)
    await closing(await openPglite(dataDir, template), async copy => {
      await expect(read(copy)).rejects.toThrow('"kept" does not exist')
      await make(copy)
    })
    expect(await closing(await openPglite(dataDir, template), read)).toEqual([{ n: 7 }])
  })

  it('creates a new database if the template is damaged, and replaces the template', async () => {
    writeFileSync(template, 'no archive')
    await closing(await openPglite(undefined, template), make)
    expect(statSync(template).size).toBeGreaterThan(1_000_000)
  })

  it('creates a new database where no template can be kept', async () => {
    writeFileSync(join(folder, 'file'), '')
    const nowhere = join(folder, 'file', 'template.tar.gz')
    await closing(await openPglite(undefined, nowhere), make)
    expect(existsSync(nowhere)).toBe(false)
  })
})

it('refuses a database that another version made, and names --fresh', async () => {
  const version = (sql: string) => {
    const migrations = mkdtempSync(join(folder, 'migrations-'))
    mkdirSync(join(migrations, 'meta'))
    const entries = [{ idx: 0, version: '7', when: 1, tag: '0000_things', breakpoints: true }]
    writeFileSync(join(migrations, 'meta', '_journal.json'), JSON.stringify({ entries }))
    writeFileSync(join(migrations, '0000_things.sql'), sql)
    return { schema: {}, migrations: pathToFileURL(migrations), migrationLock: 1 }
  }
  const dataDir = join(folder, 'versions')
  const first = version('create table things (id text)')
  for (let start = 0; start < 2; start++) await (await openDatabase(first, { dataDir })).close()
  const second = version('create table things (id text, name text)')
  await expect(openDatabase(second, { dataDir })).rejects.toThrow(
    /^the database in .*versions cannot be opened: another version of the service made it.*npm start -- --fresh/,
  )
  await (await openDatabase(first, { dataDir })).close()
})

describe('a prepared statement', () => {
  let client: PGlite
  beforeAll(async () => {
    client = await openPglite(undefined)
    await client.exec('create table things (id text primary key, n bigint, data jsonb)')
    prepareStatements(client)
  })
  afterAll(() => client.close())
  const insert = (id: string, n: unknown = 1, data: unknown = {}) =>
    client.query('insert into things values ($1, $2, $3) on conflict do nothing returning *', [id, n, data])

  it('a prepared statement returns the same rows as PGlite itself, on every run', async () => {
    for (const [id, n, data] of [
      ['a', 9_007_199_254_740_991, { list: [1, null], text: 'ä🙂' }],
      ['b', null, null],
      ['c', -1, 'null'],
      ['d', 0, [true]],
    ] as const)
      expect((await insert(id, n, JSON.stringify(data))).rows).toEqual([{ id, n, data }])
    expect((await insert('a')).rows).toEqual([])
    const asArray = await client.query('select id, n from things order by id limit 1', [], { rowMode: 'array' })
    expect(asArray.rows).toEqual([['a', 9_007_199_254_740_991]])
  })

  it('a failed prepared statement affects neither its next run nor another statement', async () => {
    await expect(insert('e', 'no number')).rejects.toThrow('invalid input syntax for type bigint')
    await expect(client.query('select * from nothing')).rejects.toThrow('"nothing" does not exist')
    expect((await insert('e')).rows).toHaveLength(1)
    await client.exec('create table nothing (n int)')
    expect((await client.query('select * from nothing')).rows).toEqual([])
  })

  it('a prepared statement does not run inside another caller’s transaction', async () => {
    let during: Promise<unknown> = Promise.resolve()
    await expect(
      client.transaction(async tx => {
        await tx.query('insert into things values ($1, 1, null)', ['in'])
        during = insert('outside')
        await tx.query('select 1')
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await during
    const { rows } = await client.query('select id from things where id in ($1, $2)', ['in', 'outside'])
    expect(rows).toEqual([{ id: 'outside' }])
  })

  it('prepared statements of more shapes than the cache keeps still run', async () => {
    for (let shape = 0; shape < 300; shape++)
      expect((await client.query(`select ${shape} as n, $1::text as t`, ['x'])).rows).toEqual([{ n: shape, t: 'x' }])
  })
})

describe('statements that wait at the same moment', () => {
  const write = 'insert into things values ($1, $2) returning id, xmin::text as transaction'
  const open = async () => {
    const client = await openPglite(undefined)
    await client.exec('create table things (id text primary key, n bigint not null)')
    return prepareStatements(client)
  }
  const transaction = v.object({ id: v.string(), transaction: v.string() })

  it('commits concurrent statements together, each with its own answer', async () => {
    const { client, query } = await open()
    await closing(client, async () => {
      const answers = await Promise.all(['a', 'b', 'c'].map(id => query(write, [id, 1])))
      const rows = answers.map(([row]) => v.parse(transaction, row))
      expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
      expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1)
      const [later] = await query(write, ['d', 1])
      expect(v.parse(transaction, later).transaction).not.toBe(rows[0]?.transaction)
    })
  })

  it('one failed statement does not change the results of the other concurrent statements', async () => {
    const { client, query } = await open()
    await closing(client, async () => {
      const [first, twice, wrong, unknown, last] = await Promise.allSettled([
        query(write, ['a', 1]),
        query(write, ['a', 2]),
        query(write, ['b', null]),
        query('select * from nothing', []),
        query(write, ['c', 3]),
      ])
      expect([first, last]).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
      expect(twice).toMatchObject({ reason: { message: expect.stringContaining('duplicate key') } })
      expect(wrong).toMatchObject({ reason: { message: expect.stringContaining('null value') } })
      expect(unknown).toMatchObject({ reason: { message: expect.stringContaining('"nothing" does not exist') } })
      expect(await query('select id, n from things order by id', [])).toEqual([
        { id: 'a', n: 1 },
        { id: 'c', n: 3 },
      ])
    })
  })

  it('concurrent statements do not join another caller’s transaction', async () => {
    const { client, query } = await open()
    await closing(client, async () => {
      let during: Promise<unknown> = Promise.resolve()
      const rolledBack = client.transaction(async tx => {
        await tx.query('insert into things values ($1, 1)', ['in'])
        during = Promise.all([query(write, ['out', 1]), query(write, ['side', 1])])
        await new Promise(setImmediate)
        throw new Error('rolled back')
      })
      await expect(rolledBack).rejects.toThrow('rolled back')
      await during
      expect(await query('select id from things order by id', [])).toEqual([{ id: 'out' }, { id: 'side' }])
    })
  })

  it('a closed database refuses all concurrent statements', async () => {
    const { client, query } = await open()
    await client.close()
    const answers = await Promise.allSettled([query(write, ['a', 1]), query(write, ['b', 1])])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

it.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_SSL_TLSV1_ALERT_X',
])(
  'a server whose certificate is refused with %s is a database that is away, and not a failure of the service',
  code => {
    expect(isDatabaseAway(Object.assign(new Error(), { code, query: 'select 1' }))).toBe(true)
    expect(isDatabaseAway(Object.assign(new Error(), { code }))).toBe(false)
  },
)
