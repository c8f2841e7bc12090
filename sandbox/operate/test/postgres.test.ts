/** Tests `migrate` and `audit` on a real PostgreSQL. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, only } from '@keybay/sandbox-relay/testing/frame/index'
import { startWorld } from '@keybay/sandbox-relay/testing/world'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '../src/audit.js'
import { makeKeys } from '../src/keygen.js'
import { migrate } from '../src/migrate.js'
import { type Env, OPERATED, STATEFUL, type StatefulService } from '../src/services.js'

const VARIABLES = {
  api: 'DATABASE_URL',
  r1: 'RELAY_DATABASE_URL',
  r2: 'RELAY_DATABASE_URL',
  custody: 'CUSTODY_DATABASE_URL',
} as const

let database: Postgres
beforeAll(async () => {
  database = await startPostgres()
}, 120_000)
afterAll(() => database?.stop())

function makeEnvironments(name: string): ReadonlyMap<StatefulService, Env> {
  return new Map(
    STATEFUL.map(service => [
      service,
      { [VARIABLES[service]]: database.create(`${name}_${service}`), ...(service === 'r2' && { RELAY_PARTY: '2' }) },
    ]),
  )
}

async function change(url: string, ...statements: readonly string[]): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  for (const statement of statements) await sql.unsafe(statement)
  await sql.end()
}

it('migrate brings empty databases to the schema, also twice at the same time, and leaves migrated ones unchanged', async () => {
  const environments = makeEnvironments('migrate')
  const isMigrated = () =>
    Promise.all(
      [...environments].map(async ([name, env]) => (await OPERATED[name].read(env).readDatabase()).isMigrated),
    )
  expect(await isMigrated()).toEqual([false, false, false, false])
  const [first, second] = await Promise.all([migrate(environments), migrate(environments)])
  expect(second).toBe(first)
  expect(first.match(/the database has the schema of this version/g)).toHaveLength(4)
  expect(await isMigrated()).toEqual([true, true, true, true])
  await migrate(environments)
}, 60_000)

it('migrate names the service whose database was made by another version or is not set', async () => {
  const environments = makeEnvironments('other')
  await migrate(environments)
  const r2 = environments.get('r2') ?? {}
  await change(r2.RELAY_DATABASE_URL ?? '', "update drizzle.__drizzle_migrations set hash = 'another'")
  await expect(migrate(environments)).rejects.toThrow(/^r2: .*another version of the service made it/)
  expect((await OPERATED.r2.read(r2).readDatabase()).isMigrated).toBe(false)
  await expect(migrate(new Map([['api', {}]]))).rejects.toThrow(/^api: DATABASE_URL is not set/)
}, 60_000)

it('audit verifies the records of real wallets, and refuses the log of a database in which one was removed', async () => {
  const folder = temporaryFolder()
  await makeKeys({ folder, services: ['r1', 'r2'] })
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const urls = { r1: database.create('audit_r1'), r2: database.create('audit_r2') }
  const options = (relay: 'r1' | 'r2') => ({
    keys: read(`${relay}/keys.json`),
    kek: read(`${relay}/kek`),
    databaseUrl: urls[relay],
  })
  const world = await startWorld({ r1: options('r1'), r2: options('r2') })
  try {
    for (let count = 0; count < 2; count++) await create(only(world.r1), await world.user(), { scheme: 'TWO_OF_THREE' })
  } finally {
    await world.stop()
  }
  const environments = new Map(
    (['r1', 'r2'] as const).map(relay => [
      relay,
      {
        RELAY_PARTY: relay === 'r2' ? '2' : '1',
        RELAY_DATABASE_URL: urls[relay],
        RELAY_KEYS_FILE: join(folder, relay, 'keys.json'),
      },
    ]),
  )
  const run = () => audit({ environments, logs: [], keys: [], wallet: undefined })
  expect(await run()).toMatch(/2 records of 2 wallets, complete and signed\. Log of R1[\s\S]*No record of the second/)
  await change(
    urls.r1,
    'drop trigger records_is_append_only on records',
    'delete from records where sequence = (select min(sequence) from records)',
  )
  await expect(run()).rejects.toThrow(/r1\.log/)
}, 120_000)
