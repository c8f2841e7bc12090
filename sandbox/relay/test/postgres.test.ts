/** Two instances of R1 on one real PostgreSQL, requests alternating: either completes, once, what the other began. */

import { type Chain, startChain } from '@keybay/sandbox-chain'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transfer } from '../src/bench/wallet.js'
import { type Relay, startRelay } from '../src/index.js'
import { forward, reply, startProxy } from './api-gate.js'
import {
  b64,
  changeSet,
  create,
  join,
  messageOf,
  newSeed,
  ok,
  only,
  reshare,
  sendToken,
  sha256,
  sign,
  type Target,
  text,
  tokenGrantOf,
  type Wallet,
} from './frame/index.js'
import { newRelayKeys, startWorld, type World } from './world.js'

describe('two instances', () => {
  let database: Postgres
  let chain: Chain
  let world: World
  let shared: { readonly databaseUrl: string; readonly keys: string; readonly kek: string }
  let pair: readonly [Relay, Relay]
  let both: Target
  beforeAll(async () => {
    database = await startPostgres({ explain: true })
    // R2 requests the keys of the first instance, and both instances share them.
    shared = { databaseUrl: database.url, keys: newRelayKeys().keys, kek: b64(newSeed()) }
    chain = await startChain({ port: 0 })
    world = await startWorld({ r1: shared, environment: { rpcUrl: chain.url } })
    pair = [world.r1, await world.startR1(shared)]
    let turn = 0
    both = { next: () => pair[turn++ % 2] ?? world.r1 }
  }, 300_000)
  afterAll(async () => {
    await pair?.[1].stop()
    await world?.stop()
    await chain?.stop()
    database?.stop()
  })

  it.each([
    ['TWO_OF_TWO', false],
    ['TWO_OF_THREE', true],
    ['THREE_OF_FIVE', false],
  ] as const)(
    'a %s wallet is created, refreshed and signs when each request reaches the other of two instances',
    async (scheme, exportable) => {
      const wallet = await create(both, await world.user(), { scheme, exportable })
      const resharing = await reshare(both, wallet)
      const after = resharing.after(wallet, await resharing.commit())
      for (const words of ['one', 'two', 'three', 'four']) {
        const { signature } = await sign(both, after, text(words))
        expect(ed25519.verify(signature ?? new Uint8Array(64), text(words), bs58.decode(wallet.address))).toBe(true)
      }
    },
  )

  it('two instances accept a device signature only once', async () => {
    const wallet = await create(both, await world.user())
    for (let round = 0; round < 5; round++) {
      const claims = { jti: `of-both-of-them-${round}` }
      const answers = await Promise.all(Array.from({ length: 6 }, () => sign(both, wallet, text('once'), { claims })))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  it('a change at one instance takes effect at the other instance at once', async () => {
    const wallet = await create(both, await world.user())
    const [one, two] = [only(pair[0]), only(pair[1])]
    expect((await sign(two, wallet, text('known to two'))).status).toBe(200)
    const resharing = await reshare(one, wallet)
    const after = resharing.after(wallet, await resharing.commit())
    expect((await sign(two, wallet, text('old'))).body.code).toBe('epoch_mismatch')
    expect((await sign(two, after, text('new'))).status).toBe(200)
  })

  it('signs many concurrent requests on a set, and the chain of its audit record holds', async () => {
    const wallet = await create(both, await world.user())
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => sign(both, wallet, text(`m${index}`))))
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200))
    const sql = postgres(database.url)
    const rows = await sql`select sequence from audit where set_id = ${wallet.setId} order by sequence`
    await sql.end()
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
  })

  it('only one of two resharings commits when both commit at two instances at once', async () => {
    const wallet = await create(both, await world.user())
    const [first, second] = [await reshare(both, wallet), await reshare(both, wallet)]
    const answers = await Promise.all([second.commit(), second.commit(), first.commit()])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect(answers[2]?.status).toBe(409)
    expect((await second.commit()).status).toBe(200)
  })

  it('devices of one wallet spend its daily cap once when they pay at both instances at the same time', async () => {
    const primary = await create(both, await world.user())
    const order = JSON.stringify({ owner: primary.address, symbol: 'USD' })
    const { mint } = await (await fetch(`${chain.url}/admin/mint`, { method: 'POST', body: order })).json()
    const policy = tokenGrantOf(1_000_000_000n, [mint, 6, 1_000_000n])
    ok(await changeSet(both, primary, primary.setId, 'policy', { policy }, true))
    const devices = [primary]
    for (let count = 0; count < 5; count++) devices.push((await join(both, { ...primary, policy })).joined)
    const unasked = { kind: 'transaction', consent: false } as const
    const paySol = (wallet: Wallet) => sign(both, wallet, transfer(bs58.decode(wallet.address), 400_000_000n), unasked)
    const payToken = (wallet: Wallet) =>
      sign(both, wallet, messageOf(wallet.address, sendToken(wallet.address, { mint, amount: 400_000n })), unasked)
    for (const pay of [paySol, payToken]) {
      const answers = await Promise.all(devices.map(pay))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403, 403])
    }
  })

  it('R1 uses its nonces once after it has waited for R2, even if its machine is resumed several times in that wait', async () => {
    const sql = postgres(database.url)
    const wallet = await create(both, await world.user(), { scheme: 'THREE_OF_FIVE' })
    let isResumed = false
    const line = await startProxy(async (request, response, body) => {
      const answer = await forward(world.r2.internalUrl.replace('/api/v0', '') + (request.url ?? ''), request, body)
      if (isResumed) {
        // Another machine from the same snapshot has gone on first, and used the nonces.
        const [newest] = await sql`select id, expires_at from nonces order by expires_at desc limit 1`
        await sql`insert into nonces values (${sha256(`answered ${newest?.id}`)}, ${newest?.expires_at})`
      }
      await reply(response, answer)
    })
    const waiting = await world.startR1({ ...shared, peerUrl: `${line.url}/api/v0` })
    expect((await sign(only(waiting), wallet, text('alone'))).status).toBe(200)
    isResumed = true
    expect(await sign(only(waiting), wallet, text('again'))).toMatchObject({
      status: 401,
      body: { code: 'invalid_device_signature', details: { reason: 'replay' } },
    })
    await waiting.stop()
    line.stop()
    await sql.end()
  })

  it('every query of these tests that names rows has an index for them', () => {
    expect(database.listScans()).toEqual([])
  })

  it('while PostgreSQL is killed a relay answers with 503, and the wallet signs once it is back', async () => {
    const wallet = await create(both, await world.user())
    database.halt()
    try {
      for (const relay of [...pair, ...pair])
        expect(await sign(only(relay), wallet, text('away'))).toMatchObject({
          status: 503,
          body: { code: 'service_unavailable', details: { service: 'database', retryAfter: expect.any(Number) } },
        })
    } finally {
      database.resume()
    }
    for (const { internalUrl } of pair)
      await expect.poll(async () => (await fetch(internalUrl.replace('/api/v0', '/ready'))).status).toBe(200)
    expect((await sign(both, wallet, text('back'))).status).toBe(200)
  })

  it('an instance refuses a database of the other party', async () => {
    const options = {
      mode: 'sandbox' as const,
      environments: world.environments,
      peerUrl: world.r2.internalUrl,
      databaseUrl: database.url,
    }
    await expect(startRelay({ ...options, party: 2 })).rejects.toThrow(/belongs to the other party/)
  })
}, 120_000)
