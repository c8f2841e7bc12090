/** Tests `migrate`, `audit` and `rotate` on a real PostgreSQL. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCustody } from '@keybay/sandbox-custody'
import { type Relay, startRelay } from '@keybay/sandbox-relay'
import { describeParty } from '@keybay/sandbox-relay/operated'
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

function rotateKey(service: StatefulService, env: Env, isRestarted: boolean, now = Date.now(), key?: string) {
  return rotate(new Map([[service, env]]), { isRestarted, now, key })
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

  const describeKeys = (relay: 'r1' | 'r2') =>
    JSON.stringify(describeParty(read(`${relay}/keys.json`), relay === 'r1' ? 1 : 2))
  /** Starts both relays with the key files as they are. @param known the keys of R1 as R2 knows them */
  const withRelays = async (work: (r1: Relay) => Promise<unknown>, known = describeKeys('r1')) => {
    const place = {
      mode: 'sandbox' as const,
      environments: world.environments,
      limitFactor: 100,
      clock: world.r2.clock,
    }
    const peer = { peerUrl: world.r1.internalUrl, peerKeys: known }
    const second = await startRelay({ ...place, ...options('r2'), party: 2, ...peer })
    const first = await world.startR1({ ...options('r1'), peerUrl: second.internalUrl, peerKeys: describeKeys('r2') })
    await work(first)
    await first.stop()
    await second.stop()
  }
  /** An old wallet signs, and a new one is made by both relays. */
  const use = async (relay: Relay) => {
    ok(await sign(only(relay), wallet, text('after a restart')))
    const made = await create(only(relay), await world.user(), { scheme: 'THREE_OF_FIVE' })
    ok(await sign(only(relay), made, text('a new wallet')))
  }

  it.each([
    ['record', 'signs no more'],
    ['sealing', 'is gone'],
  ])(
    'rotate replaces the %s key of a running relay, and wallets of before and after sign',
    async (key, end) => {
      const env = { RELAY_DATABASE_URL: urls.r1, RELAY_KEYS_FILE: join(folder, 'r1', 'keys.json') }
      const rotateR1 = (isRestarted: boolean, now?: number) => rotateKey('r1', env, isRestarted, now, key)
      const before = read('r1/keys.json')
      await expect(rotateR1(true)).rejects.toThrow('r1: No rotation has begun')
      expect(await rotateR1(false)).toMatch(/^r1: Step 1 of 3/)
      const known = describeKeys('r1')
      await withRelays(use)
      expect(await rotateR1(true)).toMatch(/^r1: Step 2 of 3/)
      expect(await rotateR1(true)).toMatch(/no instance has started with the new key in front/)
      // R2 has not heard of the new order: it seals to the old key, and accepts what the new key signs.
      await withRelays(use, known)
      if (key === 'sealing') await expect(rotateR1(true)).rejects.toThrow(/Messages may still be sealed to the old key/)
      expect(await rotateR1(true, Date.now() + HOUR_MS)).toMatch(new RegExp(`^r1: Step 3 of 3: the old key ${end}`))
      await withRelays(use)
      const keys = { ...options('r1'), keys: before, peerKeys: describeKeys('r2') }
      await expect(world.startR1(keys)).rejects.toThrow(new RegExp(`does not know this ${key} key`))
    },
    120_000,
  )

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
    expect(await run()).toMatch(/8 records of 8 wallets, complete and signed\. Log of R1[\s\S]*No record of the second/)
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

it('rotate replaces the enclave key of custody, which clients know before it signs', async () => {
  const folder = temporaryFolder()
  await makeKeys({ folder, services: ['custody'] })
  const [file, kek] = [join(folder, 'custody', 'enclave.pem'), readFileSync(join(folder, 'custody', 'kek'), 'utf8')]
  const env = { CUSTODY_DATABASE_URL: database.create('rotate_enclave'), CUSTODY_ENCLAVE_KEY_FILE: file }
  const restart = async (enclaveKey = readFileSync(file, 'utf8')) => {
    const place = { databaseUrl: env.CUSTODY_DATABASE_URL, origins: [], smtpUrl: 'smtp://127.0.0.1:9' }
    const custody = await startCustody({ mode: 'sandbox', ...place, kek, enclaveKey })
    await custody.stop()
    return custody.signerPublicKey
  }
  const rotateEnclave = (isRestarted: boolean) => rotateKey('custody', env, isRestarted, Date.now(), 'enclave')
  const before = readFileSync(file, 'utf8')
  const old = await restart()
  const [, next = ''] =
    /: (?:04[0-9a-f]{128}),(04[0-9a-f]{128})\. Restart the frame/.exec(await rotateEnclave(false)) ?? []
  expect(next).not.toBe('')
  expect(await restart()).toBe(old)
  expect(await rotateEnclave(true)).toMatch(/^custody: Step 2 of 3/)
  expect(await rotateEnclave(true)).toMatch(/no instance has started with the new key in front/)
  expect(await restart()).toBe(next)
  expect(await rotateEnclave(true)).toMatch(/^custody: Step 3 of 3: the old key signs no more/)
  expect(await restart()).toBe(next)
  await expect(restart(before)).rejects.toThrow(/does not know this enclave key/)
  await expect(rotateKey('custody', env, false, 0, 'record')).rejects.toThrow(
    /^custody has no key "record" to rotate\. Use --key kek or enclave/,
  )
}, 60_000)

it('rotate wants exactly one service, which has a key', async () => {
  const step = { isRestarted: false, now: 0 }
  for (const services of [[], ['frame'], ['r1', 'r2']] as const)
    await expect(rotate(new Map(services.map(service => [service, {}])), step)).rejects.toThrow(/^Name one service/)
})
