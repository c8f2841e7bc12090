/** Tests budgets on a real PostgreSQL. */
import postgres from 'postgres'
import { afterAll, beforeAll, describe } from 'vitest'
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

  testBudgets(() => (text, values) => client.unsafe(text, [...values], { prepare: true }))
})
