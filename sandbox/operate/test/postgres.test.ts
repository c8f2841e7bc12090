/** Tests `migrate`, `audit` and `rotate` on a real PostgreSQL. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCustody } from '@keybay/sandbox-custody'
import { create, ok, only, sign, text, type Wallet } from '@keybay/sandbox-relay/testing/frame/index'
import { startWorld, type World } from '@keybay/sandbox-relay/testing/world'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../src/audit.js'
import { makeKeys } from '../src/keygen.js'
import { migrate } from '../src/migrate.js'
import { rotate } from '../src/rotate.js'
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

const HOUR_MS = 3_600_000

function rotateKey(service: StatefulService, env: Env, isRestarted: boolean, now = Date.now()): Promise<string> {
  return rotate(new Map([[service, env]]), { isRestarted, now })
}

describe('relays with the keys of keygen', () => {
  const folder = temporaryFolder()
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  let urls: Readonly<Record<'r1' | 'r2', string>>
  let world: World
  let wallet: Wallet
  const options = (relay: 'r1' | 'r2') => ({
    keys: read(`${relay}/keys.json`),
    kek: read(`${relay}/kek`),
    databaseUrl: urls[relay],
  })
  beforeAll(async () => {
    await makeKeys({ folder, services: ['r1', 'r2'] })
    urls = { r1: database.create('relays_r1'), r2: database.create('relays_r2') }
    world = await startWorld({ r1: options('r1'), r2: options('r2') })
    wallet = await create(only(world.r1), await world.user(), { scheme: 'TWO_OF_THREE' })
    await create(only(world.r1), await world.user(), { scheme: 'TWO_OF_THREE' })
  }, 120_000)
  afterAll(() => world?.stop())

  it('rotate moves the shares of a running relay to a new key in three steps, and wallets sign after each', async () => {
    const env = { RELAY_DATABASE_URL: urls.r1, RELAY_KEK_FILE: join(folder, 'r1', 'kek') }
    const rotateR1 = (isRestarted: boolean) => rotateKey('r1', env, isRestarted)
    const signAfterRestart = async () => {
      const relay = await world.startR1(options('r1'))
      ok(await sign(only(relay), wallet, text('after a restart')))
      await relay.stop()
    }
    const before = read('r1/kek')
    await expect(rotateR1(true)).rejects.toThrow('r1: No rotation has begun. Run this without --restarted')
    expect(await rotateR1(false)).toMatch(/^r1: Step 1 of 3: .* restart each\. Then run this again with --restarted\.$/)
    const [, next] = read('r1/kek').split(',')
    expect(read('r1/kek')).toBe(`${before},${next}`)
    expect(await rotateR1(false)).toMatch(/the new key is behind the old one/)
    await signAfterRestart()
    expect(await rotateR1(true)).toMatch(/^r1: Step 2 of 3/)
    expect(read('r1/kek')).toBe(`${next},${before}`)
    expect(await rotateR1(true)).toMatch(/no instance has started with the new key in front/)
    await signAfterRestart()
    expect(await rotateR1(true)).toMatch(/^r1: Step 3 of 3: 2 secrets were moved to the new key/)
    expect(read('r1/kek')).toBe(next)
    await signAfterRestart()
    const [retired = ''] = readdirSync(join(folder, 'r1')).filter(file => file.includes('retired'))
    expect(read(`r1/${retired}`)).toBe(before)
    await expect(world.startR1({ ...options('r1'), kek: before })).rejects.toThrow(/does not know this key-encryption/)
  }, 60_000)

  it('audit verifies the records of real wallets, and refuses the log of a database in which one was removed', async () => {
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
})

it('rotate replaces the signing key of the API, and keeps the old one published for an hour', async () => {
  const folder = temporaryFolder()
  await makeKeys({ folder, services: ['api'] })
  const file = join(folder, 'api', 'keys.json')
  const read = () => JSON.parse(readFileSync(file, 'utf8'))
  const env = { DATABASE_URL: database.create('rotate_api'), API_KEYS_FILE: file }
  const before = read()
  expect(await rotateKey('api', env, false)).toMatch(/^api: Step 1 of 3/)
  const [old, next] = read().signing
  expect([old]).toEqual(before.signing)
  expect(await rotateKey('api', env, false)).toMatch(/the new key is behind the old one/)
  expect(await rotateKey('api', env, true)).toMatch(/^api: Step 2 of 3/)
  expect(read()).toEqual({ ...before, signing: [next, old] })
  await expect(rotateKey('api', env, true)).rejects.toThrow(/^api: Tokens of the old key are valid for up to an hour/)
  expect(await rotateKey('api', env, true, Date.now() + HOUR_MS)).toMatch(/^api: Step 3 of 3/)
  expect(read()).toEqual({ ...before, signing: [next] })
  await expect(rotateKey('api', env, true)).rejects.toThrow('api: No rotation has begun')
}, 60_000)

it('rotate replaces the key-encryption key of custody, which starts with the new key alone', async () => {
  const folder = temporaryFolder()
  await makeKeys({ folder, services: ['custody'] })
  const file = join(folder, 'custody', 'kek')
  const env = { CUSTODY_DATABASE_URL: database.create('rotate_custody'), CUSTODY_KEK_FILE: file }
  const restart = async () => {
    const kek = readFileSync(file, 'utf8')
    const keys = { kek, enclaveKey: readFileSync(join(folder, 'custody', 'enclave.pem'), 'utf8') }
    const place = { databaseUrl: env.CUSTODY_DATABASE_URL, origins: [], smtpUrl: 'smtp://127.0.0.1:9' }
    await (await startCustody({ mode: 'sandbox', ...place, ...keys })).stop()
  }
  await expect(rotateKey('custody', env, false)).rejects.toThrow(/knows no key yet\. Start the service once/)
  await restart()
  await rotateKey('custody', env, false)
  expect(await rotateKey('custody', env, true)).toMatch(/^custody: Step 2 of 3/)
  await restart()
  expect(await rotateKey('custody', env, true)).toMatch(/^custody: Step 3 of 3: 0 secrets/)
  await restart()
  await expect(rotateKey('custody', { ...env, CUSTODY_KEK_COMMAND: '["kms"]' }, false)).rejects.toThrow(/HSM or KMS/)
  await expect(rotateKey('custody', {}, false)).rejects.toThrow(/^custody: CUSTODY_KEK_FILE and .* are needed/)
}, 60_000)

it('rotate wants exactly one service, which has a key', async () => {
  const step = { isRestarted: false, now: 0 }
  for (const services of [[], ['frame'], ['r1', 'r2']] as const)
    await expect(rotate(new Map(services.map(service => [service, {}])), step)).rejects.toThrow(/^Name one service/)
})
