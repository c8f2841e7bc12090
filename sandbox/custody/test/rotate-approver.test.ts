/** New keys for the operator and the approver: existing wallets sign before, during and after the change. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type World as ApiWorld, settings, startWorld as startApiWorld } from '@keybay/sandbox-api/testing/client'
import { rotateApprover } from '@keybay/sandbox-api/testing/rotate-approver'
import { runProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { generateP256KeyPair } from '@turnkey/crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startCustody } from '../src/index.js'
import { startDoor } from './door.js'
import { type Guarded, makeGuarded } from './guarded.js'
import { apiClient, apiKey, COMPLETED, type KeyPair, ORIGIN, PATIENT, startWorld, type World } from './world.js'

const HOUR = 60 * 60_000
/** Path of the program, which sits next to the package's entry module. */
const COMMAND = createRequire(import.meta.url)
  .resolve('@keybay/sandbox-api')
  .replace(/index\.js$/, 'rotate-approver.js')

let dataDir: string
let custody: World
let api: ApiWorld | undefined
beforeEach(async () => {
  dataDir = temporaryFolder()
  custody = await startWorld({ dataDir: join(dataDir, 'custody') })
})
afterEach(async () => {
  await api?.stop()
  api = undefined
  await custody.stop()
})

function keysText(newest: KeyPair, ...older: readonly (KeyPair & { readonly until: number })[]): string {
  return JSON.stringify([
    { privateKey: newest.privateKey },
    ...older.map(({ privateKey, until }) => ({ privateKey, until: new Date(until).toISOString() })),
  ])
}

/** Stops the running product API and starts another on the same database and port. */
async function startApi(approverKeys?: string, operator = custody.operatorKey): Promise<ApiWorld> {
  const port = api?.api.port ?? 0
  await api?.stop()
  api = await startApiWorld({
    port,
    dataDir: join(dataDir, 'api'),
    custody: {
      baseUrl: custody.custody.internalUrl,
      operator: () => operator,
      ...(approverKeys !== undefined && { approverKeys }),
    },
    environments: { local: { ...settings, custody: { enabled: true, secondFactor: true } } },
  })
  return api
}

async function guardKeys({ owner, organizationId, guardId: userId }: Guarded): Promise<string[]> {
  const { user } = await owner.getUser({ organizationId, userId })
  return user.apiKeys.map(({ credential }) => credential.publicKey)
}

type Env = Readonly<Record<string, string>>

function commandEnv(env: Env): Env {
  const { organizationId, publicKey, privateKey } = custody.operatorKey
  return {
    KEYBAY_DATA_DIR: dataDir,
    CUSTODY_URL: custody.custody.internalUrl,
    CUSTODY_ORGANIZATION_ID: organizationId,
    CUSTODY_API_PUBLIC_KEY: publicKey,
    CUSTODY_API_PRIVATE_KEY: privateKey,
    ...env,
  }
}

/** Does what the command does, without a process. */
function rotateHere(env: Env): Promise<string> {
  return rotateApprover(commandEnv(env))
}

/** @param onStart may kill it */
async function rotate(env: Env, onStart: (kill: () => void) => void = () => undefined) {
  const program = runProgram(COMMAND, commandEnv(env))
  onStart(() => program.child.kill('SIGKILL'))
  return program.ended()
}

it('wallets move to a new approver key even if the command is killed, and can sign throughout', async () => {
  const [old, next] = [generateP256KeyPair(), generateP256KeyPair()]
  const first = await startApi(keysText(old))
  const wallets = [
    await makeGuarded(custody, first, 'move-a@example.com'),
    await makeGuarded(custody, first, 'move-b@example.com'),
  ]
  const sign = async () => {
    for (const wallet of wallets) expect(await wallet.signed()).toBe(COMPLETED)
  }
  await sign()
  const both = keysText(next, { ...old, until: Date.now() + HOUR })
  await startApi(both)
  await sign()
  expect(await guardKeys(wallets[0] ?? raise())).toEqual([old.publicKey])

  // Each wallet takes two changes; kill the command before custody receives the first, and after it received each.
  for (const isReceived of [false, true, true]) {
    let kill = () => {}
    const door = await startDoor(custody.custody.internalUrl, async pass => {
      kill()
      if (isReceived) await pass()
      return undefined
    })
    const { code } = await rotate({ CUSTODY_APPROVER_KEYS: both, CUSTODY_URL: door.url }, killChild => {
      kill = killChild
    })
    expect(code).toBeNull()
    door.stop()
    await sign()
  }
  expect(await rotateHere({ CUSTODY_APPROVER_KEYS: both })).toMatch(/^[12] wallets were moved/)
  expect(await rotate({ CUSTODY_APPROVER_KEYS: both })).toEqual({
    code: 0,
    output: '0 wallets were moved to the first key. Take older keys out of CUSTODY_APPROVER_KEYS after their date.\n',
  })
  await sign()
  await startApi(keysText(next))
  await sign()
  for (const wallet of wallets) {
    expect(await guardKeys(wallet)).toEqual([next.publicKey])
    await expect(custody.clientOf(old).getWhoami({ organizationId: wallet.organizationId })).rejects.toMatchObject({
      code: 16,
    })
  }
})

function raise(): never {
  throw new Error('There is no wallet')
}

it('an old approver key approves nothing after its end date, but still moves its wallets', async () => {
  const [old, next] = [generateP256KeyPair(), generateP256KeyPair()]
  const wallet = await makeGuarded(custody, await startApi(keysText(old)), 'late@example.com')
  const over = keysText(next, { ...old, until: Date.now() - 1 })
  await startApi(over)
  expect(await wallet.approve(await wallet.sign())).toMatchObject({
    status: 503,
    body: { code: 'custody_unavailable', details: { reason: 'approver key expired' } },
  })
  expect(await rotateHere({ CUSTODY_APPROVER_KEYS: over })).toContain('1 wallets were moved')
  expect(await wallet.signed()).toBe(COMPLETED)
})

it('rotating the approver key removes every other credential of the approver’s user', async () => {
  const [old, next] = [generateP256KeyPair(), generateP256KeyPair()]
  const wallet = await makeGuarded(custody, await startApi(keysText(old)), 'mole@example.com')
  const parameters = { userId: wallet.guardId, apiKeys: [apiKey()] }
  await custody.clientOf(old).createApiKeys(wallet.request('ACTIVITY_TYPE_CREATE_API_KEYS_V2', parameters))
  const both = keysText(next, { ...old, until: Date.now() + HOUR })
  expect(await rotateHere({ CUSTODY_APPROVER_KEYS: both })).toContain('1 wallets were moved')
  expect(await guardKeys(wallet)).toEqual([next.publicKey])
})

it('rotates the approver key file while the API runs, and two rotations at once lose no key', async () => {
  const file = join(dataDir, 'api', 'approver', 'keys.json')
  const running = await startApi()
  const wallet = await makeGuarded(custody, running, 'file@example.com')
  const [{ privateKey: before }] = JSON.parse(readFileSync(file, 'utf8'))
  expect(await wallet.signed()).toBe(COMPLETED)
  const outcomes = await Promise.all([rotate({}), rotate({})])
  expect(outcomes.map(({ code }) => code)).toContain(0)
  expect(outcomes.map(({ output }) => output).join('')).toContain('Run this again after')
  const after: { privateKey: string; until?: string }[] = JSON.parse(readFileSync(file, 'utf8'))
  expect(after).toHaveLength(2)
  expect(after[1]).toEqual({ privateKey: before, until: expect.any(String) })
  expect(await wallet.signed()).toBe(COMPLETED)
  const later = await makeGuarded(custody, running, 'later@example.com')
  expect(await guardKeys(later)).toEqual(await guardKeys(wallet))
  expect(await later.signed()).toBe(COMPLETED)
})

it('the rotation counts wallets that were not moved, and exits with code 1', async () => {
  const [old, next] = [generateP256KeyPair(), generateP256KeyPair()]
  const wallet = await makeGuarded(custody, await startApi(keysText(old)), 'lost@example.com')
  const both = keysText(next, { ...old, until: Date.now() + HOUR })
  const door = await startDoor(custody.custody.internalUrl, async () => undefined)
  const { code, output } = await rotate({ CUSTODY_APPROVER_KEYS: both, CUSTODY_URL: door.url })
  door.stop()
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('1 wallets still have an old approver key, 0 were moved. Run this again.'),
  ])
  for (const key of [old, next]) expect(output).not.toContain(key.privateKey)
  expect(await wallet.signed()).toBe(COMPLETED)
})

it('a replaced operator key stops working, and wallets with a second factor still sign', async () => {
  const wallet = await makeGuarded(custody, await startApi(), 'operator@example.com')
  expect(await wallet.signed()).toBe(COMPLETED)
  const replaced = custody.operatorKey
  const { organizationId, port, internalUrl } = custody.custody
  const reads = (key: KeyPair) => apiClient(internalUrl, key).getSubOrgIds({ organizationId })
  await custody.custody.stop()
  const { inbox } = custody
  custody = { ...custody, stop: () => inbox.stop() }
  const next = generateP256KeyPair()
  const start = (apiPublicKey: string) =>
    startCustody({
      mode: 'sandbox',
      port,
      dataDir: join(dataDir, 'custody'),
      origins: [ORIGIN],
      smtpUrl: inbox.smtpUrl,
      organizationId,
      apiPublicKey,
      ...PATIENT,
    })
  // Both keys work during the change, then only the new key.
  const between = await start(`${next.publicKey}, ${replaced.publicKey.toUpperCase()}`)
  try {
    expect((await reads(replaced)).organizationIds).toEqual((await reads(next)).organizationIds)
    expect(await wallet.signed()).toBe(COMPLETED)
  } finally {
    await between.stop()
  }
  const after = await start(next.publicKey)
  try {
    await expect(reads(replaced)).rejects.toMatchObject({ code: 16 })
    expect((await reads(next)).organizationIds).toEqual([wallet.organizationId])
    await startApi(undefined, { organizationId, ...next })
    expect(await wallet.signed()).toBe(COMPLETED)
  } finally {
    await after.stop()
  }
})
