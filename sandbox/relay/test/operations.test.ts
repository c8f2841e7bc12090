/**
 * Operation: policies on real transactions, lost writes, incomplete ceremonies, revoked sets, audit, rotation, logs.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChain } from '@keybay/sandbox-chain'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { lockKeys, rotationSteps } from '@keybay/sandbox-service/keys'
import { rotateKeks } from '@keybay/sandbox-service/secrets'
import { readMetrics } from '@keybay/sandbox-service/testing/exposition'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { rotate } from '../src/rotate.js'
import {
  ask,
  b64,
  changeSet,
  create,
  getShare,
  grant,
  importKey,
  join as joinDevice,
  newSeed,
  ok,
  only,
  READ,
  readAudit,
  reshare,
  sha256,
  sign,
  type Target,
  text,
  type Wallet,
} from './frame/index.js'
import { startWorld } from './world.js'

const chain = await startChain({ port: 0 })
const metrics = { port: 0, host: '127.0.0.1' }
const world = await startWorld({
  environment: { rpcUrl: chain.url },
  api: { metrics },
  r1: { metrics },
  r2: { metrics },
})
const r1 = only(world.r1)
afterAll(async () => {
  await world.stop()
  await chain.stop()
})

const SOL = 1_000_000_000

describe('transactions, on the chain', () => {
  const payment = async (wallet: Wallet, lamports: number, to = Keypair.generate().publicKey) => {
    const connection = new Connection(chain.url, 'confirmed')
    const { blockhash } = await connection.getLatestBlockhash()
    const payerKey = new PublicKey(wallet.address)
    const instructions = [SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: to, lamports })]
    const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message()
    return { connection, message, bytes: message.serialize() }
  }

  it('signs a transfer within a grant without consent, and the chain accepts it; above its cap, consent is required', async () => {
    const wallet = await create(r1, await world.user())
    ok(await grant(r1, wallet, SOL))
    const { connection, message, bytes } = await payment(wallet, SOL / 10)
    await connection.requestAirdrop(new PublicKey(wallet.address), 5 * SOL)
    const unasked = { kind: 'transaction', consent: false } as const
    const { signature } = await sign(r1, wallet, bytes, unasked)
    const transaction = new VersionedTransaction(message, [signature ?? new Uint8Array(64)])
    expect(await connection.sendTransaction(transaction)).toMatch(/^\w{80,90}$/)
    const big = (await payment(wallet, SOL)).bytes
    expect((await sign(r1, wallet, big, unasked)).body).toMatchObject({
      code: 'consent_required',
      details: { rule: 'daily-limit', limit: String(SOL), wanted: String(SOL + SOL / 10 + 10_000) },
    })
    expect((await sign(r1, wallet, big, { kind: 'transaction', consent: true })).status).toBe(200)
    // A day later the limit allows payments again.
    const full = (await payment(wallet, SOL - 5_000)).bytes
    expect((await sign(r1, wallet, full, unasked)).status).toBe(403)
    world.advance(26 * 3_600_000)
    await world.refresh(wallet.user)
    expect((await sign(r1, wallet, full, unasked)).status).toBe(200)
  })

  it('parallel transfers cannot exceed the cap together', async () => {
    const wallet = await create(r1, await world.user())
    ok(await grant(r1, wallet, SOL))
    const unasked = { kind: 'transaction', consent: false } as const
    const all = await Promise.all(Array.from({ length: 8 }, () => payment(wallet, SOL / 4)))
    const answers = await Promise.all(all.map(({ bytes }) => sign(r1, wallet, bytes, unasked)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  })

  it('a policy of the user denies what the policy does not list, whatever the consent', async () => {
    const wallet = await create(r1, await world.user())
    const friend = Keypair.generate().publicKey
    const policy = {
      dailyLimit: String(SOL),
      programs: [{ programId: SystemProgram.programId.toBase58(), instructions: ['02000000'] }],
      destinations: [friend.toBase58()],
      messages: false,
    }
    expect((await changeSet(r1, wallet, wallet.setId, 'policy', { policy }, true)).status).toBe(200)
    const refused = async (bytes: Uint8Array, rule: string) => {
      const answer = await sign(r1, wallet, bytes, { kind: 'transaction', consent: true })
      expect(answer).toMatchObject({ status: 403, body: { code: 'policy_refused', details: { rule } } })
    }
    await refused((await payment(wallet, 1)).bytes, 'destination')
    expect((await sign(r1, wallet, (await payment(wallet, 1, friend)).bytes, { kind: 'transaction' })).status).toBe(200)
    expect((await sign(r1, wallet, text('hello'))).body.details.rule).toBe('message')
    const { entries } = await readAudit(r1, wallet)
    const rules = entries
      .map(({ entry }: { entry: string }) => JSON.parse(entry))
      .flatMap((refusal: { rule?: string }) => refusal.rule ?? [])
    expect(rules).toEqual(['destination', 'message'])
  })

  it('does not sign a transaction as a message, nor a message as a transaction', async () => {
    const wallet = await create(r1, await world.user())
    const { bytes } = await payment(wallet, 1)
    expect((await sign(r1, wallet, bytes)).body).toMatchObject({ code: 'policy_refused', details: { rule: 'message' } })
    expect((await sign(r1, wallet, text('hello'), { kind: 'transaction' })).body.code).toBe('policy_refused')
  })

  it('reads lookup tables as the chain has finalized them, and refuses unknown tables', async () => {
    const wallet = await create(r1, await world.user())
    const connection = new Connection(chain.url, 'confirmed')
    const payer = Keypair.generate()
    const hidden = Keypair.generate().publicKey
    await connection.requestAirdrop(payer.publicKey, 5 * SOL)
    const slot = (await connection.getSlot()) - 1
    const owner = { authority: payer.publicKey, payer: payer.publicKey }
    const [made, table] = AddressLookupTableProgram.createLookupTable({ ...owner, recentSlot: slot })
    const addresses = [hidden, Keypair.generate().publicKey]
    const extended = AddressLookupTableProgram.extendLookupTable({ ...owner, lookupTable: table, addresses })
    await sendAndConfirmTransaction(connection, new Transaction().add(made, extended), [payer])
    await expect
      .poll(async () => (await connection.getAccountInfo(table, 'finalized')) !== null, { timeout: 20_000 })
      .toBe(true)
    const { value } = await connection.getAddressLookupTable(table)
    if (!value) throw new Error('no table')
    const payerKey = new PublicKey(wallet.address)
    const instructions = [SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: hidden, lamports: 1 })]
    const { blockhash } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message([
      value,
    ])
    expect(message.addressTableLookups).toHaveLength(1)
    const bytes = message.serialize()
    expect((await sign(r1, wallet, bytes, { kind: 'transaction' })).status).toBe(200)
    const policy = {
      programs: [{ programId: SystemProgram.programId.toBase58(), instructions: ['02000000'] }],
      destinations: [Keypair.generate().publicKey.toBase58()],
      messages: true,
      dailyLimit: '1000000',
    }
    expect((await changeSet(r1, wallet, wallet.setId, 'policy', { policy }, true)).status).toBe(200)
    expect((await sign(r1, wallet, bytes, { kind: 'transaction' })).body.details).toMatchObject({
      rule: 'destination',
      address: hidden.toBase58(),
    })
    const other = Keypair.generate().publicKey.toBuffer()
    const unknown = Buffer.from(bytes)
    other.copy(unknown, unknown.indexOf(table.toBuffer()))
    expect((await sign(r1, wallet, unknown, { kind: 'transaction' })).body.details.rule).toBe('lookup-table')
  }, 60_000)
})

describe('interrupted ceremonies', () => {
  it('an aborted resharing keeps the old epoch, and its commit is refused', async () => {
    const wallet = await create(r1, await world.user())
    const resharing = await reshare(r1, wallet)
    expect((await resharing.abort()).status).toBe(200)
    expect((await resharing.commit()).body.code).toBe('ceremony_state')
    expect((await sign(r1, wallet, text('on'))).status).toBe(200)
  })
  it('a second begin ends the first resharing; a commit counts once, and its repeat gets the same answer', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const first = await reshare(r1, wallet)
    const second = await reshare(r1, wallet)
    expect((await first.commit()).body.code).toBe('ceremony_state')
    const answer = await second.commit()
    const again = await second.commit()
    expect(again).toEqual(answer)
    expect((await sign(r1, second.after(wallet, answer), text('on'))).status).toBe(200)
  })
  it('a commit with another transcript changes nothing', async () => {
    const wallet = await create(r1, await world.user())
    const resharing = await reshare(r1, wallet)
    const answer = await resharing.commit(body => ({ ...body, transcript: b64(new Uint8Array(32)) }))
    expect(answer.body.code).toBe('transcript_mismatch')
    expect((await sign(r1, wallet, text('on'))).status).toBe(200)
  })
  it('a resharing that waits too long expires', async () => {
    const wallet = await create(r1, await world.user())
    const resharing = await reshare(r1, wallet)
    world.advance(31 * 60_000)
    await world.r1.sweep()
    await world.refresh(wallet.user)
    expect((await resharing.commit()).body.code).toBe('ceremony_not_found')
    expect((await sign(r1, wallet, text('on'))).status).toBe(200)
  })
  it('refuses to create a wallet again with the same ID or the same key', async () => {
    const user = await world.user()
    const seed = newSeed()
    expect((await importKey(r1, user, seed)).answer.status).toBe(200)
    expect((await importKey(r1, user, seed)).answer.body.code).toBe('wallet_exists')
    expect((await importKey(r1, await world.user(), seed)).answer.body.code).toBe('wallet_exists')
  })
})

describe('sets', () => {
  it('a set revoked with the user’s consent never signs again with any old share, and other sets still sign', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const joined = await reshare(r1, wallet, { purpose: 'addDevice', by: 'B1' })
    // Three of five: the backup and two relays can deal alone.
    const second = joined.after(wallet, await joined.commit())
    expect((await sign(r1, second, text('two'))).status).toBe(200)
    expect((await changeSet(r1, second, wallet.setId, 'revoke', {})).body.code).toBe('not_enabled')
    expect((await changeSet(r1, wallet, second.setId, 'revoke', {})).body).toMatchObject({
      code: 'consent_required',
      details: { rule: 'revoke' },
    })
    expect((await sign(r1, second, text('still'))).status).toBe(200)
    const { wallet: shown } = ok(await changeSet(r1, wallet, second.setId, 'revoke', {}, true))
    expect(shown.sets.map(({ status }: { status: string }) => status)).toEqual(['active', 'revoked'])
    expect((await sign(r1, second, text('two'))).body.code).toBe('set_revoked')
    expect((await sign(r1, wallet, text('one'))).status).toBe(200)
  })
  it.each(['TWO_OF_TWO', 'THREE_OF_FIVE'] as const)(
    'a new device requests a set of %s, the old device deals the set, and both sign',
    async scheme => {
      const wallet = await create(r1, await world.user(), { scheme })
      const { waiting, joins, deviceKey, sealingKey, answer, joined } = await joinDevice(r1, wallet)
      expect(waiting).toEqual({ status: 'waiting' })
      expect(joins).toMatchObject([{ kind: 'device', name: 'Tablet', deviceKey, sealingKey }])
      expect(answer).toMatchObject({
        status: 200,
        body: { wallet: { sets: [{ kind: 'primary' }, { name: 'Tablet' }] } },
      })
      expect((await sign(r1, joined, text('new'))).status).toBe(200)
      expect((await sign(r1, wallet, text('old'))).status).toBe(200)
    },
  )
  it('shares of two sets do not combine', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const joined = await reshare(r1, wallet, { purpose: 'addDevice', by: 'B1' })
    const second = joined.after(wallet, await joined.commit())
    // The share of the primary set under the ID of the other set.
    const mixed: Wallet = { ...second, shares: [getShare(wallet, 'C')] }
    await expect(sign(r1, mixed, text('mixed'))).rejects.toThrow(/signature share|mpc_/i)
  })
})

describe('a relay that has lost writes', () => {
  it('a relay that has lost writes freezes when a frame shows a newer epoch that the relay signed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
    const dataDir = join(folder, 'relay')
    let relay = await world.startR1({ dataDir })
    const wallet = await create(only(relay), await world.user())
    await relay.stop()
    cpSync(dataDir, join(folder, 'snapshot'), { recursive: true })
    relay = await world.startR1({ dataDir })
    const resharing = await reshare(only(relay), wallet)
    const after = resharing.after(wallet, await resharing.commit())
    expect((await sign(only(relay), after, text('newer'))).status).toBe(200)
    await relay.stop()
    rmSync(dataDir, { recursive: true })
    cpSync(join(folder, 'snapshot'), dataDir, { recursive: true })
    relay = await world.startR1({ dataDir })
    const target = only(relay)
    expect((await sign(target, after, text('x'))).body).toMatchObject({ code: 'epoch_mismatch', details: { epoch: 0 } })
    const show = (record: string) => ask(target, wallet.user, `/wallets/${wallet.walletId}/record`, { record }, READ)
    // A record that this relay signed at that epoch is not newer, and another key's record is ignored.
    expect((await show(wallet.record)).body).toEqual({ epoch: 0 })
    const [head, body] = after.record.split('.')
    expect((await show(`${head}.${body}.${'A'.repeat(86)}`)).status).toBe(400)
    expect((await show(after.record)).body.code).toBe('wallet_frozen')
    expect((await sign(target, wallet, text('old share'))).body.code).toBe('wallet_frozen')
    expect((await reshare(target, wallet)).begun.body.code).toBe('wallet_frozen')
    await relay.stop()
    rmSync(folder, { recursive: true })
  }, 60_000)
})

describe('the audit record', () => {
  it('the audit record is a chain of hashes without the signed content, and the database refuses to change it', async () => {
    const wallet = await create(r1, await world.user())
    await sign(r1, wallet, text('a secret message'))
    const { entries, head } = await readAudit(r1, wallet)
    let hash = ''
    for (const { entry, hash: next } of entries) {
      hash = sha256(`${hash}\n${entry}`)
      expect(next).toBe(hash)
    }
    expect(head).toEqual({ sequence: 2, hash })
    expect(entries.map(({ entry }: { entry: string }) => JSON.parse(entry).what)).toEqual(['created', 'signed'])
    expect(JSON.stringify(entries)).not.toContain('a secret message')
    const database = await openDatabase({})
    await database.db.execute(sql`insert into audit (set_id, sequence, entry, hash, at) values ('s', 1, '{}', 'h', 0)`)
    for (const statement of [
      "update audit set entry = '[]'",
      'delete from audit',
      'truncate audit',
      'delete from audit_default',
    ])
      await expect(database.db.execute(sql.raw(statement))).rejects.toThrow()
    await database.close()
  })
})

describe('keys', () => {
  it('a key rotation puts every secret under the new key, the old key opens nothing, and wallets still sign', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
    const [before, after] = [b64(newSeed()), b64(newSeed())]
    let relay = await world.startR1({ dataDir: folder, kek: before })
    const target: Target = { next: () => relay }
    const wallet = await create(target, await world.user())
    const waiting = await reshare(target, wallet)
    await relay.stop()
    const database = await openDatabase({ dataDir: join(folder, 'db') })
    const source = { service: 'relay', variable: 'RELAY_KEK', text: `${after},${before}` }
    const steps = rotationSteps('relay', work => lockKeys(database.db, work))
    const rotateAll = () => rotateKeks(source, keys => rotate(database.db, createEnvelope(keys)), steps)
    expect(await rotateAll()).toMatch(/^2 secrets/)
    expect(await rotateAll()).toMatch(/^0 secrets/)
    await database.close()
    relay = await world.startR1({ dataDir: folder, kek: after })
    expect((await sign(target, wallet, text('on'))).status).toBe(200)
    expect((await waiting.commit()).status).toBe(200)
    await relay.stop()
    await expect(world.startR1({ dataDir: folder, kek: before })).rejects.toThrow(
      /does not know this key-encryption key/,
    )
    relay = await world.startR1({ dataDir: folder, kek: after })
    expect((await sign(target, waiting.after(wallet, await waiting.commit()), text('on'))).status).toBe(200)
    await relay.stop()
    rmSync(folder, { recursive: true })
  }, 60_000)
})

describe('metrics', () => {
  it('metrics of both relays and the API have the rounds and requests of a wallet, and no ID, address, token or email', async () => {
    const email = 'measured@example.com'
    const user = await world.user(email)
    const wallet = await create(r1, user, { scheme: 'THREE_OF_FIVE' })
    expect((await sign(r1, wallet, text('measured'))).status).toBe(200)
    expect((await changeSet(r1, wallet, wallet.walletId, 'revoke', {}, true)).status).toBeLessThan(500)
    const rounds = 'keybay_relay_round_duration_seconds_count'
    for (const relay of [world.r1, world.r2]) {
      const values = await readMetrics(relay)
      for (const route of ['/wallets/create/begin', '/wallets/{walletId}/sign'])
        expect(values.get(`${rounds}{route="${route}",result="ok"}`), route).toBeGreaterThanOrEqual(1)
    }
    const values = await readMetrics(world.r1)
    const revoke = '/wallets/{walletId}/sets/{setId}/revoke'
    expect(values.get(`${rounds}{route="${revoke}",result="refused"}`)).toBeGreaterThanOrEqual(1)
    const peer = 'keybay_relay_peer_request_duration_seconds_count{path="/peer",result="200"}'
    expect(values.get(peer)).toBeGreaterThanOrEqual(1)
    const all = await Promise.all([world.api.api, world.r1, world.r2].map(readMetrics))
    const labels = all.flatMap(values => [...values.keys()].flatMap(name => name.match(/(?<==")[^"]*(?=")/g) ?? []))
    expect(labels).toContain('/api/v0/sdk/:environmentId/wallets/:walletId/sign')
    const { userId, sessionId, kit } = user
    for (const id of [email, userId, sessionId, kit.token, wallet.walletId, wallet.setId, wallet.address])
      expect(labels.join('\n')).not.toContain(id)
    // UUIDs, IPv4 addresses, email addresses, and the two forms of tokens.
    expect(labels.join('\n')).not.toMatch(/[\da-f]{8}-[\da-f]{4}-|\d+\.\d+\.\d+\.\d+|\S@|eyJ|[\w-]{43}/)
  }, 60_000)
})

describe('log lines', () => {
  it('R2 logs each request of R1 with the ID of the request that it was made for, and R1 logs no text of a client as an ID', async () => {
    const lines = world.logs.length
    await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const logged = world.logs.slice(lines)
    const finish = logged.find(({ route }) => route === '/wallets/create/finish')
    expect(logged).toContainEqual(
      expect.objectContaining({ route: '/peer/record', parentRequestId: finish?.requestId }),
    )
    const begin = logged.find(({ route }) => route === '/wallets/create/begin')
    expect(begin).toMatchObject({ status: 200, requestId: expect.any(String) })
    expect(begin).not.toHaveProperty('parentRequestId')
    expect(logged).toContainEqual(expect.objectContaining({ route: '/peer', parentRequestId: begin?.requestId }))
    const headers = { 'x-request-id': 'a line of an attacker' }
    const line = world.lineOf(await fetch(`${world.r1.internalUrl}/party`, { headers }))
    expect(line).toMatchObject({ status: 200 })
    expect(line).not.toHaveProperty('parentRequestId')
  })
})

describe('secrets', () => {
  it('secrets appear in no log line and in no readable column', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
    const lines: unknown[] = []
    const relay = await world.startR1({ dataDir: folder, log: line => lines.push(line) })
    const user = await world.user()
    const seed = newSeed()
    const { wallet } = await importKey(only(relay), user, seed, 'TWO_OF_THREE')
    await sign(only(relay), wallet, text('hello'))
    await sign(only(relay), wallet, text('hello'), { claims: { jti: 'x' } })
    // Compute the relay's share from the other two.
    const { Fn } = ed25519.Point
    const [c, b] = [getShare(wallet, 'C'), getShare(wallet, 'B1')].map(({ secret }) => Fn.fromBytes(secret))
    const slope = Fn.sub(b ?? 0n, c ?? 0n)
    const relayShare = Fn.toBytes(Fn.add(c ?? 0n, Fn.mul(slope, 3n)))
    await relay.stop()
    const database = await openDatabase({ dataDir: join(folder, 'db') })
    const shown = ['wallets', 'share_sets', 'ceremonies', 'joins', 'nonces', 'audit', 'facts', 'rate_limits']
    const names = [...shown, 'pending_wallets']
    const rows = await Promise.all(names.map(name => database.db.execute(sql.raw(`select * from ${name}`))))
    await database.close()
    const written = JSON.stringify([lines, rows])
    expect(written).toContain(wallet.walletId)
    const secrets = [seed, relayShare, ...wallet.shares.map(({ secret }) => secret)]
    for (const secret of secrets)
      for (const form of ['hex', 'base64', 'base64url'] as const)
        expect(written).not.toContain(Buffer.from(secret).toString(form))
    expect(JSON.stringify(lines)).not.toContain(user.kit.token)
    expect(JSON.stringify(lines)).not.toContain(wallet.walletId)
    rmSync(folder, { recursive: true })
  }, 60_000)
})
