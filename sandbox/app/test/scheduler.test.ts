/** Payments on a real chain and their stored form; a test key signs instead of a share. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KeybayError } from '@keybay/kernel'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { MovableClock } from '@keybay/sandbox-service'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { Connection, Keypair, LAMPORTS_PER_SOL, VersionedTransaction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectChain, getSignature } from '../src/server/scheduler/chain.js'
import { type Scheduler, startScheduler } from '../src/server/scheduler/index.js'
import type { Schedule } from '../src/server/scheduler/schedule.js'
import { openSchedules } from '../src/server/scheduler/store.js'

const HOUR = 3_600_000
const SOL = LAMPORTS_PER_SOL
let chain: Chain
let connection: Connection
let folder: string
let clock: MovableClock
let payer: Keypair
let friend: Keypair
let running: Scheduler | undefined

beforeAll(async () => {
  // Slots advance only when a test requests it.
  chain = await startChain({ slotMs: 0 })
  connection = new Connection(chain.url, 'confirmed')
})
afterAll(() => chain.stop())
beforeEach(async () => {
  folder = temporaryFolder()
  clock = new MovableClock({ now: () => 1_800_000_000_000 })
  payer = Keypair.generate()
  friend = Keypair.generate()
  await connection.requestAirdrop(payer.publicKey, 10 * SOL)
  chain.advanceSlots(2)
})
afterEach(async () => {
  await running?.stop()
  running = undefined
})

async function signWithKey(_: Schedule, bytes: Uint8Array): Promise<Uint8Array> {
  const transaction = VersionedTransaction.deserialize(bytes)
  transaction.sign([payer])
  return transaction.serialize()
}
/** Starts the server with the stored schedules. */
async function start(
  sign = signWithKey,
  chainUrl = chain.url,
  accept: (schedule: Schedule) => Promise<void> = async () => {},
): Promise<Scheduler> {
  await running?.stop()
  running = await startScheduler({
    folder,
    clock,
    relayUrl: 'http://127.0.0.1:9/api/v0',
    environmentId: 'local',
    chainUrl,
    sign,
    accept,
    lookEvery: 0,
  })
  return running
}
/** Returns a function that fails like a relay. */
function fail(code: string, options: { status?: number | undefined; details?: object } = {}) {
  const { status, details } = options
  return async () => {
    throw new KeybayError({ code, message: 'No.' }, { ...(status && { status }), ...(details && { details }) })
  }
}

/** Stores a schedule before the server starts: one SOL hourly, three times, starting now. */
function keep(more: Partial<Schedule> = {}): void {
  openSchedules(join(folder, 'schedules')).put({
    setId: 'set',
    from: payer.publicKey.toBase58(),
    to: friend.publicKey.toBase58(),
    lamports: String(SOL),
    every: HOUR / 1000,
    times: 3,
    share: 'sealed',
    startedAt: clock.now(),
    transfers: [],
    ...more,
  })
}
/** Runs one pass that signs and sends, makes a block, then runs a pass that sees the result. */
async function pass(scheduler: Scheduler): Promise<unknown> {
  await scheduler.run()
  chain.advanceSlots(2)
  await scheduler.run()
  return scheduler.read('set')
}

function received() {
  return connection.getBalance(friend.publicKey)
}

describe('a schedule', () => {
  it('a schedule pays when payments are due, and not more often', async () => {
    keep()
    const scheduler = await start()
    expect(await pass(scheduler)).toMatchObject({ status: 'active', transfers: [{ state: 'paid' }] })
    await pass(scheduler)
    expect(await received()).toBe(SOL)
    clock.advance(HOUR)
    expect(await pass(scheduler)).toMatchObject({ nextAt: clock.now() + HOUR })
    expect(await received()).toBe(2 * SOL)
    clock.advance(HOUR)
    expect(await pass(scheduler)).toMatchObject({ status: 'done', nextAt: null })
    clock.advance(9 * HOUR)
    await pass(scheduler)
    expect(await received()).toBe(3 * SOL)
  })

  it.each([
    ['frame_relay_unreachable', undefined],
    ['peer_unavailable', 503],
    ['too_many_requests', 429],
  ] as const)('a schedule waits until the relays know that its share was accepted: %s', async (code, status) => {
    keep({ startedAt: undefined, times: 1 })
    const away = await start(signWithKey, chain.url, fail(code, { status }))
    expect(await pass(away)).toMatchObject({ status: 'active', nextAt: null, trouble: { code } })
    expect(await received()).toBe(0)
    const back = await start()
    await back.run()
    expect(await pass(back)).toMatchObject({ status: 'done' })
    expect(await received()).toBe(SOL)
  })
  it('a schedule ends when the relays refuse its share for good, and stores no secret', async () => {
    keep({ startedAt: undefined, bundle: 'sealed' })
    const stopped = { code: 'epoch_mismatch' }
    const scheduler = await start(signWithKey, chain.url, fail(stopped.code, { status: 409 }))
    expect(await pass(scheduler)).toMatchObject({ status: 'stopped', stopped, transfers: [] })
    expect(readFileSync(join(folder, 'schedules', 'set.json'), 'utf8')).not.toContain('sealed')
  })
  it.each(['ceremony_state', 'ceremony_not_found'])(
    'a schedule begins when the relays already know that its share was accepted: %s',
    async code => {
      keep({ startedAt: undefined, times: 1 })
      const scheduler = await start(signWithKey, chain.url, fail(code, { status: 409 }))
      await scheduler.run()
      expect(await pass(scheduler)).toMatchObject({ status: 'done' })
      expect(await received()).toBe(SOL)
    },
  )

  it('a schedule resumes after a restart, and does not pay missed payments all at once', async () => {
    keep()
    await pass(await start())
    clock.advance(2.5 * HOUR)
    const scheduler = await start()
    await scheduler.run()
    expect(scheduler.read('set')).toMatchObject({ transfers: [{ state: 'paid' }, { state: 'missed' }] })
    expect(await pass(await start())).toMatchObject({ status: 'done', transfers: [{}, {}, { state: 'paid' }] })
    expect(await received()).toBe(2 * SOL)
  })

  it('a schedule continues after a payment that the chain refused, and reports the reason', async () => {
    keep({ lamports: String(20 * SOL) })
    const scheduler = await start()
    const why = { code: 'insufficient_funds' }
    expect(await pass(scheduler)).toMatchObject({ status: 'active', transfers: [{ state: 'failed', error: why }] })
    await connection.requestAirdrop(payer.publicKey, 20 * SOL)
    chain.advanceSlots(2)
    await pass(scheduler)
    expect(await received()).toBe(0)
    clock.advance(HOUR)
    await pass(scheduler)
    expect(await received()).toBe(20 * SOL)
  })

  it.each(['set_revoked', 'policy_refused', 'unauthorized'])(
    'a schedule ends with %s, and stops trying to sign',
    async code => {
      keep()
      const sign = vi.fn(fail(code))
      const scheduler = await start(sign)
      const over = { status: 'stopped', stopped: { code }, transfers: [{ state: 'failed' }] }
      expect(await pass(scheduler)).toMatchObject(over)
      clock.advance(HOUR)
      await pass(scheduler)
      expect(sign).toHaveBeenCalledOnce()
    },
  )

  it('a schedule retries when the daily limit is full of signed payments that never landed', async () => {
    keep({ times: 1 })
    const full = await start(fail('policy_refused', { details: { rule: 'daily-limit' } }))
    expect(await pass(full)).toMatchObject({ status: 'active', trouble: { code: 'policy_refused' }, transfers: [] })
    expect(await pass(await start())).toMatchObject({ status: 'done', transfers: [{ state: 'paid' }] })
  })

  it('a schedule retries when a service is unreachable', async () => {
    keep()
    const away = await start(signWithKey, 'http://127.0.0.1:9')
    expect(await pass(away)).toMatchObject({ status: 'active', trouble: { code: 'unreachable' }, transfers: [] })
    const back = await pass(await start())
    expect(back).toMatchObject({ transfers: [{ state: 'paid' }] })
    expect(back).not.toHaveProperty('trouble')
  })
})

describe('after a crash', () => {
  /** Signed and stored, but possibly never sent. */
  const signed = async (): Promise<Uint8Array> => {
    const ways = { from: payer.publicKey.toBase58(), to: friend.publicKey.toBase58(), lamports: BigInt(SOL) }
    const { bytes, lastValidBlockHeight } = await connectChain(chain.url).build(ways)
    const made = VersionedTransaction.deserialize(bytes)
    made.sign([payer])
    const whole = made.serialize()
    const pending = { bytes: Buffer.from(whole).toString('base64'), lastValidBlockHeight }
    keep({ times: 1, transfers: [{ dueAt: clock.now(), state: 'sent', signature: getSignature(whole), pending }] })
    return whole
  }

  it('after a crash, a signed payment that was not sent is sent', async () => {
    await signed()
    expect(await pass(await start())).toMatchObject({ status: 'done', transfers: [{ state: 'paid' }] })
    expect(await received()).toBe(SOL)
  })
  it('after a crash, a payment that landed is not paid again', async () => {
    await connection.sendRawTransaction(await signed())
    chain.advanceSlots(2)
    expect(await pass(await start())).toMatchObject({ status: 'done', transfers: [{ state: 'paid' }] })
    await pass(await start())
    expect(await received()).toBe(SOL)
  })
  it('after a crash, a payment that landed is not paid again, even if its blockhash has expired', async () => {
    await connection.sendRawTransaction(await signed())
    chain.advanceSlots(200)
    expect(await pass(await start())).toMatchObject({ status: 'done', transfers: [{ state: 'paid' }] })
    expect(await received()).toBe(SOL)
  })
  it('after a crash, a payment that can never land is signed again, and paid once', async () => {
    const first = getSignature(await signed())
    chain.advanceSlots(200)
    const scheduler = await start()
    await scheduler.run()
    expect(await pass(scheduler)).toMatchObject({ status: 'done', transfers: [{ state: 'paid' }] })
    expect(scheduler.read('set')).not.toMatchObject({ transfers: [{ signature: first }] })
    expect(await received()).toBe(SOL)
  })
})

describe('stored files', () => {
  it('scheduler files are readable by this user only; keys are created once, other delegates stay listed', async () => {
    const list = join(folder, 'delegates.json')
    writeFileSync(list, JSON.stringify([{ name: 'Salaries', sealingKey: 'x' }]))
    keep()
    const { identity } = await start()
    expect((await start()).identity).toEqual(identity)
    expect(JSON.parse(readFileSync(list, 'utf8'))).toMatchObject([
      { name: 'Salaries' },
      { name: identity.name, sealingKey: identity.publicKey },
    ])
    expect(readFileSync(list, 'utf8')).not.toContain('"d"')
    for (const name of ['delegate-keys.json', 'schedules-kek', 'schedules/set.json'])
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
  })
  it('removing a schedule deletes its stored data', async () => {
    keep()
    const scheduler = await start()
    expect([scheduler.remove('set'), scheduler.remove('set')]).toEqual([true, false])
    expect((await start()).read('set')).toBeUndefined()
    expect(await pass(await start())).toBeUndefined()
  })
})
