/** Tests the removal of expired rows, on PGlite, and by two instances on PostgreSQL. */
import { lt } from 'drizzle-orm'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteExpired, openPglite } from '../src/database/open.js'
import { rateLimits } from '../src/database/windows.js'
import { TABLE } from './budget-cases.js'
import { type Postgres, startPostgres } from './postgres.js'

const FILL = `insert into rate_limits select 'row ' || n, 1, n from generate_series(1, 25) n`
const expired = lt(rateLimits.resetsAt, 24)

it('deletes all expired rows in batches, and nothing else', async () => {
  const client = await openPglite(undefined)
  const db = drizzlePglite(client)
  await client.exec(`${TABLE}; ${FILL}`)
  await deleteExpired(db, rateLimits, expired, 10)
  expect(await db.select({ resetsAt: rateLimits.resetsAt }).from(rateLimits)).toEqual([
    { resetsAt: 24 },
    { resetsAt: 25 },
  ])
  await client.close()
})

describe('on PostgreSQL', () => {
  let server: Postgres
  let client: postgres.Sql
  beforeAll(async () => {
    server = await startPostgres()
    client = postgres(server.url, { max: 4, onnotice: () => undefined })
    await client.unsafe(`${TABLE}; ${FILL}`)
  }, 300_000)
  afterAll(async () => {
    await client?.end()
    server?.stop()
  })

  it('leaves a table to the instance that deletes from it now', async () => {
    const db = drizzlePostgres(client)
    await client.begin(async other => {
      await other`select pg_advisory_xact_lock(hashtext('expired rate_limits'))`
      await deleteExpired(db, rateLimits, expired, 10)
      expect(await db.$count(rateLimits)).toBe(25)
    })
    await deleteExpired(db, rateLimits, expired, 10)
    expect(await db.$count(rateLimits)).toBe(2)
  })
})
