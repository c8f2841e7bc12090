/** Rotation of key-encryption keys, interrupted and continued, on PGlite and PostgreSQL; old secrets still sign. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { lockKeys, rotationSteps } from '@keybay/sandbox-service/keys'
import { rotateKeks } from '@keybay/sandbox-service/secrets'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { endProgram, type Program, runProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { type CustodyOptions, startCustody } from '../src/index.js'
import { rewrap } from '../src/rotate.js'
import { COMPLETED, raw, SIGN, SOLANA, startWorld, type World } from './world.js'

// Long timeouts: starting processes and databases is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

function word(...keks: readonly Buffer[]) {
  return keks.map(kek => kek.toString('base64url')).join(',')
}

let dataDir: string
beforeEach(() => {
  dataDir = temporaryFolder()
})

async function open(options: Partial<CustodyOptions>, use: (world: World) => Promise<void>) {
  const world = await startWorld({ dataDir: join(dataDir, 'custody'), ...options })
  try {
    await use(world)
  } finally {
    await world.stop()
  }
}

/** Creates a wallet with two accounts, which is three secrets, and a standalone private key. */
async function keepSecrets(world: World) {
  const user = await world.user()
  const key = { privateKeyName: 'Key', curve: 'CURVE_ED25519' as const, privateKeyTags: [] }
  const parameters = { privateKeys: [{ ...key, addressFormats: ['ADDRESS_FORMAT_SOLANA' as const] }] }
  const { activity } = await user.client.createPrivateKeys(
    user.request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', parameters),
  )
  const [made] = activity.result.createPrivateKeysResultV2?.privateKeys ?? []
  return { user, signers: [...user.addresses, made?.privateKeyId ?? ''] }
}
type Secrets = Awaited<ReturnType<typeof keepSecrets>>

/** Runs custody with these keys, and returns new secrets that it stored. */
async function storeSecrets(options: Partial<CustodyOptions>): Promise<Secrets> {
  const stored: Secrets[] = []
  await open(options, async world => void stored.push(await keepSecrets(world)))
  const [secrets] = stored
  if (!secrets) throw new Error('There are no secrets')
  return secrets
}

let path = 0

async function signWithAll(world: World, { user, signers }: Secrets) {
  const client = world.clientBy(user.authenticator)
  const { organizationId, walletId } = user
  for (const signWith of signers) {
    const hashFunction = signWith.startsWith('0x') ? 'HASH_FUNCTION_SHA256' : 'HASH_FUNCTION_NOT_APPLICABLE'
    const parameters = { ...raw(signWith, 'aa'), hashFunction } as const
    const { activity } = await client.signRawPayload(world.request(organizationId, SIGN, parameters))
    expect(activity.status).toBe(COMPLETED)
  }
  const accounts = [{ ...SOLANA, path: `m/44'/501'/${++path}'/0'` }]
  const { activity } = await client.createWalletAccounts(
    world.request(organizationId, 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', { walletId, accounts }),
  )
  expect(activity.status).toBe(COMPLETED)
}

/** Runs `npm run rotate` with the keys in the environment. */
function rotateProgram(env: Record<string, string>): Program {
  return runProgram(fileURLToPath(new URL('../dist/rotate.js', import.meta.url)), { KEYBAY_DATA_DIR: dataDir, ...env })
}

async function refuses(options: Partial<CustodyOptions>, problem: RegExp) {
  const base = { mode: 'sandbox' as const, origins: ['http://app.localhost:4000'], smtpUrl: 'smtp://127.0.0.1:9' }
  await expect(startCustody({ ...base, dataDir: join(dataDir, 'custody'), ...options })).rejects.toThrow(problem)
}

it('rotation encrypts every custody secret under the new key, and the old key opens nothing', async () => {
  const secrets = await storeSecrets({ kek: word(before) })
  const openAgain = () => openDatabase({ url: undefined, dataDir: join(dataDir, 'custody', 'db') })
  const { db, close } = await openAgain()
  const envelope = createEnvelope([after, before])
  const source = { service: 'custody', variable: 'CUSTODY_KEK', text: word(after, before) }
  let calls = 0
  const dying = {
    ...envelope,
    rewrap: (sealed: string) => {
      if (++calls > 2) throw new Error('killed')
      return envelope.rewrap(sealed)
    },
  }
  const steps = rotationSteps('custody', work => lockKeys(db, work))
  await expect(rotateKeks(source, () => rewrap(db, dying), steps)).rejects.toThrow('killed')
  await close()

  // Halfway, both keys are needed and everything signs; the new account's secret is under the new key.
  await open({ kek: word(after, before) }, world => signWithAll(world, secrets))
  await refuses({ kek: word(after) }, /secrets under another key-encryption key, which is not there/)
  await refuses({ kek: word(before) }, /a rotation has replaced this key-encryption key/)
  await refuses({ kek: word(before, after) }, /a rotation has replaced this key-encryption key/)
  const again = await openAgain()
  const stepsAgain = rotationSteps('custody', work => lockKeys(again.db, work))
  expect(await rotateKeks(source, () => rewrap(again.db, envelope), stepsAgain)).toMatch(/^2 secrets/)
  expect(await rotateKeks(source, () => rewrap(again.db, envelope), stepsAgain)).toMatch(/^0 secrets/)
  await again.close()
  await open({ kek: word(after) }, world => signWithAll(world, secrets))
  await refuses({ kek: word(before) }, /does not know this key-encryption key/)
})

describe('on PostgreSQL', () => {
  let database: Postgres
  beforeAll(async () => {
    database = await startPostgres()
  })
  afterAll(() => database?.stop())

  it('rotation keeps secrets that a running instance encrypts under the old key during the rotation', async () => {
    const databaseUrl = database.create('running')
    const env = { CUSTODY_DATABASE_URL: databaseUrl, CUSTODY_KEK: word(after, before) }
    const late: Secrets[] = []
    await open({ databaseUrl, kek: word(before, after) }, async world => {
      await keepSecrets(world)
      expect((await rotateProgram(env).ended()).output).toMatch(/^[1-9]\d* secrets are under the new key/)
      // This instance uses the old key first until it is restarted.
      late.push(await keepSecrets(world))
    })
    const [secrets] = late
    if (!secrets) throw new Error('There are no secrets')
    await refuses({ databaseUrl, kek: word(after) }, /which is not there/)
    await open({ databaseUrl, kek: word(after, before) }, world => signWithAll(world, secrets))
    expect((await rotateProgram(env).ended()).output).toMatch(/^[1-9]\d* secrets are under the new key/)
    expect((await rotateProgram(env).ended()).output).toMatch(/^0 secrets are under an old key/)
    await open({ databaseUrl, kek: word(after) }, world => signWithAll(world, secrets))
  })

  it('refuses to rotate a key file if other instances may use the database', async () => {
    const { code, output } = await rotateProgram({ CUSTODY_DATABASE_URL: database.create('file') }).ended()
    expect(code).toBe(1)
    expect(output).toMatch(/Set CUSTODY_KEK to the new key and, behind it, the old one/)
  })

  it('a rotation killed between two secrets can be repeated, and a start in between loses no secret', async () => {
    const databaseUrl = database.create('killed')
    const secrets = await storeSecrets({ databaseUrl, kek: word(before) })
    database.create('backup', 'killed')
    const env = { CUSTODY_DATABASE_URL: databaseUrl, CUSTODY_KEK: word(after, before) }
    const sql = postgres(databaseUrl, { max: 2 })
    await sql.begin(async transaction => {
      // The program has wrapped the first secrets and waits for this lock.
      await transaction`select 1 from wallet_accounts for update`
      const program = rotateProgram(env)
      await vi.waitUntil(async () => (await sql`select 1 from pg_locks where not granted`).length > 0, {
        timeout: 30_000,
      })
      await endProgram(program)
    })
    await sql.end()
    const start = (kek: string) => ({ databaseUrl, kek })
    for (const kek of [word(before), word(before, after)]) await refuses(start(kek), /a rotation has replaced/)
    await refuses(start(word(after)), /which is not there/)
    await open(start(word(after, before)), world => signWithAll(world, secrets))
    expect((await rotateProgram(env).ended()).output).toMatch(/^[23] secrets are under the new key/)
    expect((await rotateProgram(env).ended()).output).toMatch(/^0 secrets are under an old key/)
    await open(start(word(after)), world => signWithAll(world, secrets))

    // Backup from before the rotation: the new key alone opens nothing in it.
    const restored = (kek: string) => ({ ...start(kek), databaseUrl: databaseUrl.replace(/killed$/, 'backup') })
    await refuses(restored(word(after)), /does not know this key-encryption key/)
    await refuses(restored(word(after, before)), /does not know this key-encryption key/)
    await open(restored(word(before)), world => signWithAll(world, secrets))
    const rotateRestored = () => rotateProgram({ ...env, CUSTODY_DATABASE_URL: restored('').databaseUrl }).ended()
    expect((await rotateRestored()).output).toMatch(/^\d secrets are under the new key/)
    expect(await rotateRestored()).toMatchObject({ code: 0, output: expect.stringMatching(/^0 secrets/) })
    await open(restored(word(after)), world => signWithAll(world, secrets))
  })

  it('a rolling rotation has no downtime: two instances open each other’s secrets at every step', async () => {
    const databaseUrl = database.create('rolling')
    const custody = join(dataDir, 'custody')
    const start = (kek: string) => startWorld({ databaseUrl, dataDir: custody, kek })
    const [old, both, swapped] = [word(before), word(before, after), word(after, before)]
    let [one, two] = await Promise.all([start(old), start(old)])
    const stored: Secrets[] = []
    const check = async () => {
      for (const world of [one, two]) stored.push(await keepSecrets(world))
      const [oldest, newest] = [stored[0], stored.slice(-2).reverse()]
      // Each instance opens the newest secret of the other, and the oldest of all.
      for (const [index, world] of [one, two].entries())
        for (const secrets of [oldest, newest[index]]) if (secrets) await signWithAll(world, secrets)
    }
    const restart = async (kek: string) => {
      await one.stop()
      one = await start(kek)
      await check()
      await two.stop()
      two = await start(kek)
      await check()
    }
    try {
      await restart(both)
      const env = { KEYBAY_DATA_DIR: dataDir, CUSTODY_DATABASE_URL: databaseUrl, CUSTODY_KEK: swapped }
      const register = runProgram(fileURLToPath(new URL('../dist/keys-command.js', import.meta.url)), env, ['register'])
      expect((await register.ended()).output).toMatch(/^Registered the key-encryption key/)
      await restart(swapped)
      expect((await rotateProgram(env).ended()).output).toMatch(/^[1-9]\d* secrets are under the new key/)
      expect((await rotateProgram(env).ended()).output).toMatch(/^0 secrets are under an old key/)
      await check()
      await restart(word(after))
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  })

  it('refuses a second rotation to a different key until the first rotation has ended', async () => {
    const databaseUrl = database.create('two')
    await storeSecrets({ databaseUrl, kek: word(before) })
    const other = Buffer.alloc(32, 3)
    const sql = postgres(databaseUrl, { max: 2 })
    const first = await sql.begin(async transaction => {
      await transaction`select 1 from wallets for update`
      const program = rotateProgram({ CUSTODY_DATABASE_URL: databaseUrl, CUSTODY_KEK: word(after, before) })
      await vi.waitUntil(async () => (await sql`select 1 from pg_locks where not granted`).length > 0, {
        timeout: 30_000,
      })
      const elsewhere = { KEYBAY_DATA_DIR: join(dataDir, 'elsewhere'), CUSTODY_KEK: word(other, before) }
      const second = rotateProgram({ CUSTODY_DATABASE_URL: databaseUrl, ...elsewhere })
      expect(await second.ended()).toEqual({
        code: 1,
        output: 'custody: Sealed with a key-encryption key that is not here\n',
      })
      return program
    })
    expect((await first.ended()).code).toBe(0)
    await sql.end()
  })
})

describe('npm run rotate', () => {
  const rotate = (env: Record<string, string> = {}) => rotateProgram(env).ended()
  const file = () => join(dataDir, 'custody', 'kek')

  it('npm run rotate writes a new key to the file, and removes the old key at the end', async () => {
    const secrets = await storeSecrets({})
    const first = readFileSync(file(), 'utf8')
    expect(await rotate()).toEqual({ code: 0, output: '4 secrets are under the new key.\n' })
    const second = readFileSync(file(), 'utf8')
    expect(second).toMatch(/^[\w-]{43}$/)
    expect(second).not.toBe(first)
    // State after a killed rotation: the next run continues with the key in the file.
    writeFileSync(file(), `${word(after)},${second}`)
    expect(await rotate()).toEqual({ code: 0, output: '4 secrets are under the new key.\n' })
    expect(readFileSync(file(), 'utf8')).toBe(word(after))
    expect(readdirSync(join(dataDir, 'custody')).sort()).toEqual(['db', 'enclave.pem', 'kek', 'operator.json'])
    await open({}, world => signWithAll(world, secrets))
  })

  it('npm run rotate does not change keys from the environment, and reports a missing key', async () => {
    await storeSecrets({ kek: word(before) })
    const missing = await rotate({ CUSTODY_KEK: word(after) })
    expect(missing).toEqual({ code: 1, output: 'custody: Sealed with a key-encryption key that is not here\n' })
    expect(await rotate({ CUSTODY_KEK: word(after, before) })).toEqual({
      code: 0,
      output: expect.stringMatching(/^4 secrets are under the new key\. Restart every instance/),
    })
    expect((await rotate({ CUSTODY_KEK: word(after, before) })).output).toMatch(/^0 secrets are under an old key/)
    expect(readdirSync(join(dataDir, 'custody'))).not.toContain('kek')
  })
})
