/** Tests budgets on a real PostgreSQL. */
import postgres from 'postgres'
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest'
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

  /** Sends requests that all see the same count of a budget, which another transaction holds until they wait. */
  async function payAtOnce(
    id: string,
    pay: () => Promise<number | undefined>,
  ): Promise<readonly (number | undefined)[]> {
    const { requests } = await client.begin(async holder => {
      await holder`update rate_limits set count = count where id = ${id}`
      const requests = Array.from({ length: 5 }, pay)
      for (let blocked = 0; blocked < 5; )
        [{ blocked }] = await holder<[{ blocked: number }]>`
          select count(distinct pid)::int as blocked from pg_locks where not granted`
      return { requests }
    })
    return Promise.all(requests)
  }

  it.each([1, 2])('requests that see the same count get exactly what is left of %i budgets', async count => {
    const budgets = Array.from({ length: count }, (_, index) => ({
      id: `row ${count} ${index}`,
      most: 3,
      window: 1000,
    }))
    const pay = () => spend(query, { budgets, now: 0 })
    await pay()
    expect((await payAtOnce(`row ${count} 0`, pay)).filter(wait => wait === undefined)).toHaveLength(2)
  })

  it('a request that comes too late gives nothing back to a later budget that refuses it', async () => {
    const [own, day] = ['own', 'day'].map(id => ({ id, most: 3, window: 1000 }))
    assert(own && day)
    await spend(query, { budgets: [{ ...day, amount: 3 }], now: 0 })
    await spend(query, { budgets: [own], now: 0 })
    await payAtOnce('own', () => spend(query, { budgets: [own, day], now: 0 }))
    expect(await spend(query, { budgets: [day], now: 0 })).toBe(1)
  })
})
