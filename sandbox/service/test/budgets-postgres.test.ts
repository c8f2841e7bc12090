/** Tests budgets on a real PostgreSQL. */
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../src/database/open.js'
import { spend } from '../src/database/windows.js'
import { TABLE, testBudgets } from './budget-cases.js'
import { type Postgres, startPostgres } from './postgres.js'

describe('on PostgreSQL', () => {
  let server: Postgres
  let client: postgres.Sql
  beforeAll(async () => {
    server = await startPostgres()
    client = postgres(server.url, { max: 10, onnotice: () => undefined })
    await client.unsafe(TABLE)
  }, 300_000)
  afterAll(async () => {
    await client?.end()
    server?.stop()
  })

  const query: Query = (text, values) => client.unsafe(text, [...values], { prepare: true })
  testBudgets(() => query)

  it.each([1, 2])('requests that see the same count get exactly what is left of %i budgets', async count => {
    const budgets = Array.from({ length: count }, (_, index) => ({
      id: `row ${count} ${index}`,
      most: 3,
      window: 1000,
    }))
    const pay = () => spend(query, { budgets, now: 0 })
    await pay()
    const { requests } = await client.begin(async holder => {
      await holder`update rate_limits set count = count where id = ${`row ${count} 0`}`
      const requests = Array.from({ length: 5 }, pay)
      for (let blocked = 0; blocked < 5; )
        [{ blocked }] = await holder<[{ blocked: number }]>`
          select count(distinct pid)::int as blocked from pg_locks where not granted`
      return { requests }
    })
    expect((await Promise.all(requests)).filter(wait => wait === undefined)).toHaveLength(2)
  })
})
