/** The key-encryption key behind a command: it wraps and opens every secret, and each of its failures fails closed. */
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LogLine } from '@keybay/sandbox-service'
import { createCommandEnvelope } from '@keybay/sandbox-service/envelope'
import { openKekCommand } from '@keybay/sandbox-service/kek-command'
import { runProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { walletAccounts } from '../src/db/schema.js'
import { type CustodyOptions, startCustody } from '../src/index.js'
import { newDatabase } from './database.js'
import { COMPLETED, ORIGIN, raw, SIGN, SOLANA, startWorld, type User, type World } from './world.js'

const VARIABLE = 'CUSTODY_KEK_COMMAND'
const SCRIPT = fileURLToPath(new URL('./kms.mjs', import.meta.url))

interface Kms {
  readonly program: string
  readonly command: string
  /** Sets the keys by name; the first wraps. The same name twice in a test has another key. */
  hold(...names: string[]): void
  fail(fault?: string): void
  /** Process ids of the last command that started a child, and of the child. */
  processes(): readonly number[]
  calls(): readonly { argv: readonly string[]; atOnce: number; action: string }[]
}

function newKms(): Kms {
  const folder = temporaryFolder()
  const program = join(folder, 'kms.mjs')
  copyFileSync(SCRIPT, program)
  chmodSync(program, 0o700)
  const keys = new Map<string, string>()
  const kms: Kms = {
    program,
    command: JSON.stringify([program, '--of', 'custody; exit 1']),
    hold(...names) {
      for (const name of names) if (!keys.has(name)) keys.set(name, randomBytes(32).toString('hex'))
      writeFileSync(join(folder, 'keys.json'), JSON.stringify(names.map(id => ({ id, key: keys.get(id) }))))
    },
    fail: (fault = '') => writeFileSync(join(folder, 'fault'), fault),
    processes: () => JSON.parse(readFileSync(join(folder, 'processes'), 'utf8')),
    calls: () =>
      readFileSync(join(folder, 'calls'), 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
  }
  kms.hold('first')
  return kms
}

/** A process that has ended, but that its parent has not read yet, does not run. */
function isRunning(id: number | undefined): boolean {
  const file = `/proc/${id}/stat`
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'utf8'))
}

let kms: Kms
let dataDir: string
let databaseUrl: string | undefined
let logs: LogLine[]
let worlds: World[]
beforeEach(async () => {
  kms = newKms()
  dataDir = temporaryFolder()
  databaseUrl = await newDatabase()
  logs = []
  worlds = []
})
afterEach(async () => {
  for (const world of worlds) await world.stop()
})

function getOptions(options: Partial<CustodyOptions> = {}): Partial<CustodyOptions> {
  const database = { dataDir: join(dataDir, 'custody'), ...(databaseUrl !== undefined && { databaseUrl }) }
  return { ...database, log: entry => logs.push(entry), kekCommand: kms.command, ...options }
}

async function start(options: Partial<CustodyOptions> = {}): Promise<World> {
  const world = await startWorld(getOptions(options))
  worlds.push(world)
  return world
}

async function stop(world: World): Promise<void> {
  worlds.splice(worlds.indexOf(world), 1)
  await world.stop()
}

const BASE = { mode: 'sandbox', origins: [ORIGIN], smtpUrl: 'smtp://127.0.0.1:9' } as const

async function refuses(options: Partial<CustodyOptions>, problem: RegExp) {
  await expect(startCustody({ ...BASE, ...getOptions(options) })).rejects.toThrow(problem)
}

let payload = 0

async function sign(world: World, user: Pick<User, 'authenticator' | 'organizationId' | 'addresses'>, nth: 0 | 1 = 0) {
  const hashFunction = nth === 1 ? 'HASH_FUNCTION_SHA256' : 'HASH_FUNCTION_NOT_APPLICABLE'
  const text = (++payload).toString(16).padStart(8, '0')
  const parameters = { ...raw(user.addresses[nth], text), hashFunction } as const
  const client = world.clientBy(user.authenticator)
  return (await client.signRawPayload(world.request(user.organizationId, SIGN, parameters))).activity.status
}

const UNAVAILABLE = {
  code: 14,
  details: [{ turnkeyErrorCode: 'UNAVAILABLE', retryAfter: 5, activityId: expect.any(String) }],
}
const INTERNAL = { code: 13, details: [{ turnkeyErrorCode: 'INTERNAL', activityId: expect.any(String) }] }

function logged(message: string) {
  expect(logs).toContainEqual({ level: 'error', message })
  expect(JSON.stringify(logs)).not.toMatch(/c2VjcmV0|secret text/)
}

it('a command wraps and opens every secret: no key in a file or argument, and each use runs the command', async () => {
  const world = await start()
  const user = await world.user()
  expect(existsSync(join(dataDir, 'custody', 'kek'))).toBe(false)
  expect(await sign(world, user)).toBe(COMPLETED)
  const before = kms.calls().length
  expect(await sign(world, user)).toBe(COMPLETED)
  expect(kms.calls().slice(before)).toMatchObject([{ action: 'unwrap', argv: ['--of', 'custody; exit 1'] }])
  const { activity } = await user.client.exportWallet(user.exportRequest())
  expect(activity.status).toBe(COMPLETED)
  await user.importKey()
  await stop(world)
  const again = await start()
  expect(await sign(again, user, 1)).toBe(COMPLETED)
})

it('a command that takes too long, or writes too much, is ended with all its children', async () => {
  const { wrap } = await openKekCommand({ argv: [kms.program], variable: VARIABLE, timeoutMs: 2_000 })
  for (const [fault, why] of [
    ['children', 'took longer than 2 s'],
    ['flood-children', 'wrote more than 16 KiB'],
  ] as const) {
    kms.fail(fault)
    await expect(wrap(randomBytes(32), fault)).rejects.toThrow(`${VARIABLE} ${why}`)
    const [command, child] = kms.processes()
    for (const id of [command, child]) await expect.poll(() => isRunning(id)).toBe(false)
    kms.fail()
    expect(await wrap(randomBytes(32), fault)).toBeInstanceOf(Uint8Array)
  }
})

it('runs at most eight commands at once', async () => {
  const { wrap } = await openKekCommand({ argv: [kms.program], variable: VARIABLE, timeoutMs: 60_000 })
  await Promise.all(Array.from({ length: 12 }, (_, index) => wrap(randomBytes(32), `secret ${index}`)))
  const most = Math.max(...kms.calls().map(({ atOnce }) => atOnce))
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(8)
})

it('whatever the command does wrong, custody answers 503, logs why without a secret, and then works again', async () => {
  const world = await start()
  const user = await world.user()
  for (const [fault, why] of [
    ['half', 'was ended by SIGKILL'],
    ['exit', 'ended with code 7'],
    ['garbage', 'gave an answer that cannot be read'],
    ['short', 'gave an answer that cannot be read'],
    ['flood', 'wrote more than 16 KiB'],
  ] as const) {
    logs.length = 0
    kms.fail(fault)
    await expect(sign(world, user), fault).rejects.toMatchObject(UNAVAILABLE)
    await expect(world.user(), fault).rejects.toMatchObject(UNAVAILABLE)
    logged(`${VARIABLE} ${why}`)
    kms.fail()
    expect(await sign(world, user), fault).toBe(COMPLETED)
  }
})

it('where the command is missing, custody answers 503, and also after a restart begins no work before it is back', async () => {
  const world = await start()
  const user = await world.user()
  renameSync(kms.program, `${kms.program}.away`)
  await expect(sign(world, user)).rejects.toMatchObject(UNAVAILABLE)
  logged(`${VARIABLE} cannot be started (ENOENT)`)
  await stop(world)
  await refuses({}, /CUSTODY_KEK_COMMAND cannot be started \(ENOENT\)/)
  renameSync(`${kms.program}.away`, kms.program)
  expect(await sign(await start(), user)).toBe(COMPLETED)
})

it('ends a command that is too slow', async () => {
  kms.fail('hang')
  const opened = openKekCommand({ argv: [kms.program], variable: VARIABLE, timeoutMs: 1000 })
  await expect(opened).rejects.toThrow(/^CUSTODY_KEK_COMMAND took longer than 1 s$/)
})

it('a command that wraps another key than it was given stores nothing, and does not start', async () => {
  const world = await start()
  const user = await world.user()
  kms.fail('wrong')
  await expect(
    user.client.createWallet(user.request('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Lost', accounts: [SOLANA] })),
  ).rejects.toMatchObject(UNAVAILABLE)
  logged(`${VARIABLE} does not unwrap what it wraps`)
  expect((await user.client.getWallets({ organizationId: user.organizationId })).wallets).toHaveLength(1)
  await expect(sign(world, user)).rejects.toMatchObject(INTERNAL)
  logged('a secret cannot be opened with its key')
  await stop(world)
  await refuses({}, /CUSTODY_KEK_COMMAND does not unwrap what it wraps/)
})

describe('another key', () => {
  it('under another name stops the start, and no key of this machine takes its place', async () => {
    const world = await start()
    const user = await world.user()
    await stop(world)
    kms.hold('second')
    await refuses({}, /does not know this key-encryption key/)
    kms.hold('second', 'first')
    await refuses({}, /does not know this key-encryption key/)
    const { kekCommand: _, ...without } = getOptions()
    await expect(startCustody({ ...BASE, ...without })).rejects.toThrow(
      /CUSTODY_KEK is not set, and the database was made with other keys/,
    )
    kms.hold('first')
    expect(await sign(await start(), user)).toBe(COMPLETED)
  })

  it('under the same name stops the start', async () => {
    await stop(await start())
    kms = newKms()
    await refuses({}, /CUSTODY_KEK_COMMAND holds another key than the one .* under the same name/)
  })

  it('at run time makes /ready 503, and so does a command that fails', async () => {
    const world = await start()
    const { clock, internalUrl } = world.custody
    const ready = async () => {
      clock.advance(5_000)
      return (await fetch(`${internalUrl}/ready`)).status
    }
    expect(await ready()).toBe(200)
    kms.hold('second', 'first')
    expect(await ready()).toBe(503)
    kms.hold('first')
    expect(await ready()).toBe(200)
    kms.fail('exit')
    expect(await ready()).toBe(503)
    const before = kms.calls().length
    for (let checks = 0; checks < 20; checks++) await fetch(`${internalUrl}/ready`)
    expect(kms.calls().length).toBe(before)
  })
})

describe('a secret of another row', () => {
  it('is refused by a command that binds a data key to its context', async () => {
    const world = await start()
    const user = await world.user()
    await stop(world)
    const { db, close } = await openDatabase({ url: databaseUrl, dataDir: join(dataDir, 'custody', 'db') })
    const rows = await db.select().from(walletAccounts)
    const [one, two] = user.addresses.map(address => rows.find(row => row.address === address))
    await db
      .update(walletAccounts)
      .set({ sealedKey: two?.sealedKey ?? '' })
      .where(eq(walletAccounts.id, one?.id ?? ''))
    await close()
    const again = await start()
    await expect(sign(again, user)).rejects.toMatchObject(UNAVAILABLE)
    expect(await sign(again, user, 1)).toBe(COMPLETED)
  })

  /** Length of the version, the key's ID, the length and the wrapped data key. */
  const HEAD = 1 + 8 + 2 + 12 + 32 + 16

  it('does not open, whole or in parts, where the command does not look at the context', async () => {
    kms.fail('unbound')
    const command = await openKekCommand({ argv: [kms.program], variable: VARIABLE })
    const envelope = createCommandEnvelope(command, [])
    const [own = Buffer.of(), other = Buffer.of()] = await Promise.all(
      ['own', 'other'].map(async name => Buffer.from(await envelope.seal(Buffer.from(name), name), 'base64url')),
    )
    const open = async (sealed: Buffer) => Buffer.from(await envelope.open(sealed.toString('base64url'), 'own'))
    expect((await open(own)).toString()).toBe('own')
    for (const changed of [
      other,
      Buffer.concat([other.subarray(0, HEAD), own.subarray(HEAD)]),
      Buffer.concat([own.subarray(0, HEAD), other.subarray(HEAD)]),
      own.subarray(0, HEAD),
    ])
      await expect(open(changed)).rejects.toThrow()
  })
})

describe('npm run rotate', () => {
  const program = (name: 'rotate' | 'keys-command', env: Record<string, string>, ...args: string[]) =>
    runProgram(
      fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url)),
      { KEYBAY_DATA_DIR: dataDir, ...(databaseUrl !== undefined && { CUSTODY_DATABASE_URL: databaseUrl }), ...env },
      args,
    )
  const rotate = async (env: Record<string, string>) => (await program('rotate', env).ended()).output

  async function makeUser(options: Partial<CustodyOptions>): Promise<User> {
    const world = await start(options)
    const user = await world.user()
    await stop(world)
    return user
  }

  async function signs(options: Partial<CustodyOptions>, user: User) {
    const world = await start(options)
    expect([await sign(world, user), await sign(world, user, 1)]).toEqual([COMPLETED, COMPLETED])
    await stop(world)
  }

  it('moves every secret from a key to a command, and a run that dies half-way is run again', async () => {
    const kek = randomBytes(32).toString('base64url')
    const { kekCommand: _, ...byKey } = getOptions({ kek })
    const world = await startWorld(byKey)
    const user = await world.user()
    await world.stop()
    await refuses({ kek }, /does not know this key-encryption key/)
    const env = { CUSTODY_KEK_COMMAND: kms.command, CUSTODY_KEK: kek }
    // It describes, wraps and unwraps; then wraps and unwraps for the first secret, and begins the second.
    kms.fail(`kill at ${kms.calls().length + 6}`)
    expect((await program('rotate', env).ended()).code).toBeNull()
    kms.fail()
    await refuses({}, /which is not there/)
    await signs({ kek }, user)
    expect(await rotate(env)).toMatch(/^[12] secrets are under the new key/)
    expect(await rotate(env)).toBe(
      '0 secrets are under an old key. Take the old keys out of CUSTODY_KEK_COMMAND and CUSTODY_KEK.\n',
    )
    await signs({}, user)
    await expect(startWorld(byKey)).rejects.toThrow(/does not know this key-encryption key/)
  })

  it('moves every secret to the command’s next key, and the old key is then not needed', async () => {
    const user = await makeUser({})
    kms.hold('second', 'first')
    const env = { CUSTODY_KEK_COMMAND: kms.command }
    const { output } = await program('keys-command', env, 'register').ended()
    expect(output).toMatch(/^Registered the key-encryption key/)
    await signs({}, user)
    expect(await rotate(env)).toMatch(/^3 secrets are under the new key/)
    expect(await rotate(env)).toMatch(/^0 secrets are under an old key/)
    kms.hold('second')
    await signs({}, user)
  })
})
