/** Tests Solana transactions on their way to a wallet: the optimizer and the sponsor, against the sandbox's chain. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  StakeProgram,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { sponsors } from '../src/db/schema.js'
import { type EnvironmentSettings, localNetwork } from '../src/index.js'
import { loadKeys } from '../src/security/keys.js'
import { type Answer, type Kit, refused, settings, startWorld, type World } from './client.js'

const FEE = 5_000
const SOL = 1_000_000_000
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** Cost of one sponsored transfer: two signatures. */
const SPONSORED = 2 * FEE

const dataDir = temporaryFolder()
let chain: Chain
let connection: Connection
let world: World
let apiToken: string
let users = 0

function environments(): Record<string, EnvironmentSettings> {
  const networks = [localNetwork(chain.url)]
  const sponsorship = { dailyLamports: 100 * SPONSORED, dailyLamportsPerUser: 10 * SPONSORED }
  return {
    local: { ...settings, networks, transactions: { priorityPercentile: 100, sponsorship } },
    plain: { ...settings, networks },
    tight: { ...settings, networks, transactions: { sponsorship: { dailyLamports: 5 * SPONSORED } } },
    brief: { ...settings, networks, transactions: { sponsorship: { dailyLamports: 2 * SPONSORED } } },
    crowd: { ...settings, networks, transactions: { sponsorship: { dailyLamportsPerSite: 3 * SPONSORED } } },
    // No faucet funds a live sponsor.
    live: { ...settings, kind: 'live', networks, transactions: { sponsorship } },
    // The first node never responds.
    two: { ...settings, networks: [{ ...localNetwork(chain.url), rpcUrls: ['http://127.0.0.1:9', chain.url] }] },
    none: settings,
  }
}

/** From now to noon UTC: the day of a budget must not end during a test. */
const TO_NOON_MS = 43_200_000 - (Date.now() % 86_400_000)
const clock = { now: () => Date.now() + TO_NOON_MS }

function start() {
  return startWorld({ dataDir, limitFactor: 1, trustedProxies: 1, environments: environments(), clock })
}

beforeAll(async () => {
  chain = await startChain({ slotMs: 0 })
  connection = new Connection(chain.url, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  world = await start()
  apiToken = await world.apiToken()
})
afterAll(async () => {
  await world.stop()
  await chain.stop()
})

function signedIn(environmentId = 'local'): Promise<Kit> {
  return world.signedIn(`user-${users++}@example.com`, environmentId)
}

async function funded(lamports = SOL): Promise<Keypair> {
  const key = Keypair.generate()
  await connection.requestAirdrop(key.publicKey, lamports)
  return key
}

function transfer(from: Keypair, lamports = 1_000_000, to = Keypair.generate().publicKey): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports })
}

function memo(...keys: PublicKey[]) {
  return new TransactionInstruction({
    programId: MEMO,
    keys: keys.map(pubkey => ({ pubkey, isSigner: true, isWritable: false })),
    data: Buffer.from('for lunch'),
  })
}

async function draft(payer: PublicKey, ...instructions: TransactionInstruction[]): Promise<VersionedTransaction> {
  const { blockhash } = await connection.getLatestBlockhash()
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions })
  return new VersionedTransaction(message.compileToLegacyMessage())
}

function simple(from: Keypair): Promise<VersionedTransaction> {
  return draft(from.publicKey, transfer(from))
}

function base64(transaction: VersionedTransaction): string {
  return Buffer.from(transaction.serialize()).toString('base64')
}
function order(from: Keypair, transaction: VersionedTransaction, more: object = {}) {
  return { address: from.publicKey.toBase58(), transaction: base64(transaction), ...more }
}

function ask(kit: Kit, body: object, environmentId = 'local'): Promise<Answer> {
  return kit.call('/solana/optimize', { body, environmentId })
}

/** Requests a transfer, or another transaction, that the sponsor pays. */
async function sponsor(kit: Kit, from: Keypair, environmentId = 'local', transaction?: VersionedTransaction) {
  return ask(kit, order(from, transaction ?? (await simple(from)), { sponsor: true }), environmentId)
}

function read({ body }: Answer): VersionedTransaction {
  return VersionedTransaction.deserialize(Buffer.from(body.transaction, 'base64'))
}

async function land(transaction: VersionedTransaction, ...keys: Keypair[]): Promise<string> {
  transaction.sign(keys)
  return connection.sendRawTransaction(transaction.serialize())
}

function getInstructions({ message }: VersionedTransaction): readonly TransactionInstruction[] {
  return TransactionMessage.decompile(message).instructions
}

async function getSponsor(environmentId = 'local') {
  return (await world.kit().call('/solana/sponsor', { token: apiToken, environmentId })).body
}

describe('the optimizer', () => {
  it('[S7.1] adds a measured compute limit and the recent priority fee to an unsigned transaction, nothing else', async () => {
    const [kit, alice] = [await signedIn(), await funded()]
    const dear = await draft(
      alice.publicKey,
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 40_000 }),
      memo(),
    )
    // Use a separate block, because the airdrop paid no priority fee.
    chain.advanceSlots(1)
    await land(dear, alice)
    const original = await draft(alice.publicKey, transfer(alice), memo(alice.publicKey))
    const answer = await ask(kit, order(alice, original))
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['transaction'])
    const better = read(answer)
    const [limit, price, ...rest] = getInstructions(better)
    expect(rest).toEqual(getInstructions(original))
    expect(better.message.recentBlockhash).toBe(original.message.recentBlockhash)
    expect(better.signatures.every(signature => signature.every(byte => byte === 0))).toBe(true)
    expect(price).toEqual(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 40_000 }))

    const signature = await land(better, alice)
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    const [used, units] = [landed?.meta?.computeUnitsConsumed ?? 0, limit?.data.readUInt32LE(1) ?? 0]
    expect(landed?.meta?.err).toBeNull()
    expect(units).toBe(Math.ceil(used * 1.2))
    expect(landed?.meta?.fee).toBe(FEE + Math.ceil((units * 40_000) / 1_000_000))
  })
  it('caps the priority fee, and does not change a compute budget that the transaction already has', async () => {
    const [kit, alice] = [await signedIn(), await funded()]
    const computeBudget = [
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 900_000_000 }),
      ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
    ]
    chain.advanceSlots(1)
    await land(await draft(alice.publicKey, ...computeBudget, transfer(alice)), alice)
    const [limit, price] = getInstructions(read(await ask(kit, order(alice, await simple(alice)))))
    const cost = (limit?.data.readUInt32LE(1) ?? 0) * Number(price?.data.readBigUInt64LE(1))
    expect(cost / 1_000_000).toBeLessThanOrEqual(50_000)
    expect(cost / 1_000_000).toBeGreaterThan(49_000)

    const complete = await draft(alice.publicKey, ...computeBudget, transfer(alice))
    expect((await ask(kit, order(alice, complete))).body.transaction).toBe(base64(complete))
    chain.advanceSlots(151)
  })
  it('keeps a nonce advance as the first instruction, and refuses to sponsor a durable nonce', async () => {
    const [kit, alice, nonce] = [await signedIn(), await funded(), Keypair.generate()]
    const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
    const place = { fromPubkey: alice.publicKey, noncePubkey: nonce.publicKey, authorizedPubkey: alice.publicKey }
    const { instructions } = SystemProgram.createNonceAccount({ ...place, lamports })
    await land(await draft(alice.publicKey, ...instructions), alice, nonce)
    chain.advanceSlots(1)
    const advance = SystemProgram.nonceAdvance(place)
    const original = await draft(alice.publicKey, advance, transfer(alice))
    const { value } = await connection.getNonceAndContext(nonce.publicKey)
    original.message.recentBlockhash = value?.nonce ?? ''
    const [first, second] = getInstructions(read(await ask(kit, order(alice, original))))
    expect([first?.programId, first?.data]).toEqual([advance.programId, advance.data])
    expect(second?.programId).toEqual(ComputeBudgetProgram.programId)
    // The transaction could be kept until next year, and land then.
    const answer = await sponsor(kit, alice, 'local', original)
    await refused(answer, 403, 'no_gas_sponsoring_policy', { reason: 'durable_nonce' })
  })
  it('optimizes for the requested network, falls back to its second node, and refuses unsupported networks', async () => {
    const [kit, alice] = [await signedIn('two'), await funded()]
    const body = order(alice, await simple(alice))
    // The first node of the two is down.
    expect((await ask(kit, { ...body, networkId: 104 }, 'two')).status).toBe(200)
    await refused(ask(kit, { ...body, networkId: 101 }, 'two'), 400, 'unsupported_chain', { networkId: 101 })
    expect((await ask(await signedIn('none'), body, 'none')).body.code).toBe('unsupported_chain')
  })
  it('refuses to optimize a signed or unreadable transaction, or a transaction of another signer', async () => {
    const [kit, alice, bob] = [await signedIn(), await funded(), await funded()]
    const good = await simple(alice)
    const signed = await simple(alice)
    signed.sign([alice])
    const reasons = async (body: object) => {
      const { status, body: answer } = await ask(kit, body)
      return [status, answer.code, answer.details?.reason]
    }
    expect(await reasons(order(alice, signed))).toEqual([400, 'invalid_transaction', 'signed'])
    expect(await reasons(order(bob, good))).toEqual([400, 'invalid_transaction', 'signer'])
    const longer = Buffer.concat([good.serialize(), Buffer.of(0)]).toString('base64')
    for (const transaction of [longer, base64(good).slice(0, 40), 'AAAA'])
      expect(await reasons({ ...order(alice, good), transaction })).toEqual([400, 'invalid_transaction', 'unreadable'])
    const broken = [{ transaction: 'A'.repeat(1645) }, { transaction: '!' }, { address: '0' }, { sponsor: 'yes' }]
    for (const fields of broken)
      expect(await reasons({ ...order(alice, good), ...fields })).toEqual([400, 'invalid_request', undefined])
  })
  it('[S8.9] reports transaction_would_fail, and insufficient_prefund when SOL is missing', async () => {
    const [kit, alice] = [await signedIn(), await funded()]
    const tooMuch = await draft(alice.publicKey, transfer(alice, 2 * SOL))
    await refused(ask(kit, order(alice, tooMuch)), 422, 'insufficient_prefund')
    const poor = Keypair.generate()
    const unpaid = await simple(poor)
    expect((await ask(kit, order(poor, unpaid))).body.code).toBe('insufficient_prefund')
    const wrong = await draft(
      alice.publicKey,
      transfer(alice),
      StakeProgram.deactivate({ stakePubkey: Keypair.generate().publicKey, authorizedPubkey: alice.publicKey })
        .instructions[0] ?? memo(),
    )
    await refused(ask(kit, order(alice, wrong)), 422, 'transaction_would_fail')
  })
  it('reports chain_unavailable when the node is down, sends malformed data or is busy', async () => {
    const [kit, alice] = [await signedIn(), await funded()]
    const body = order(alice, await simple(alice))
    for (const fault of [
      { type: 'drop' },
      { type: 'malformed' },
      { type: 'error', status: 429 },
      { type: 'error', code: -32005 },
    ] as const) {
      chain.faults.add(fault)
      const answer = await ask(kit, { ...body, sponsor: true })
      chain.faults.clear()
      await refused(answer, 503, 'chain_unavailable')
      expect(JSON.stringify(answer.body)).not.toContain(String(chain.port))
    }
  })
  it('optimizes only for signed-in users, from pages of the environment, up to the rate limit', async () => {
    const [kit, alice] = [await signedIn(), await funded()]
    const body = order(alice, await simple(alice))
    expect((await ask(world.kit(), body)).status).toBe(401)
    expect((await ask(await signedIn('plain'), body)).status).toBe(401)
    const elsewhere = { body, headers: { origin: 'https://evil.example' } }
    expect((await kit.call('/solana/optimize', elsewhere)).body.code).toBe('origin_not_allowed')
    const answers = await Promise.all(Array.from({ length: 70 }, () => ask(kit, { ...body, transaction: 'AAAA' })))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    expect((await ask(kit, body)).body.code).toBe('too_many_requests')
  })
})

describe('the sponsor', () => {
  it('[S7.1] the sponsor pays exactly the fee, and the sender pays only the amount sent', async () => {
    const [kit, alice, bob] = [await signedIn(), await funded(), Keypair.generate().publicKey]
    const original = await draft(alice.publicKey, transfer(alice, SOL, bob), memo(alice.publicKey))
    const better = read(await sponsor(kit, alice, 'local', original))
    const { address, spentToday } = await getSponsor()
    const payer = new PublicKey(address)
    expect(better.message.staticAccountKeys[0]).toEqual(payer)
    expect(
      getInstructions(better).filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId)),
    ).toEqual(getInstructions(original))
    const before = await connection.getBalance(payer)
    const signature = await land(better, alice)
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(landed?.meta?.err).toBeNull()
    expect(before - (await connection.getBalance(payer))).toBe(landed?.meta?.fee)
    expect(spentToday).toBe(landed?.meta?.fee)
    // The whole balance was sent: nothing was kept for a fee.
    expect([await connection.getBalance(alice.publicKey), await connection.getBalance(bob)]).toEqual([0, SOL])
  })
  it('a stolen token spends nothing of the sponsor without a proof by the session key', async () => {
    const [kit, thief, alice] = [await signedIn(), world.kit(), await funded()]
    const body = order(alice, await simple(alice), { sponsor: true })
    const { spentToday } = await getSponsor()
    await refused(kit.call('/solana/optimize', { body, proof: false }), 401, 'invalid_proof')
    await refused(thief.call('/solana/optimize', { body, token: kit.token }), 401, 'invalid_proof')
    expect((await getSponsor()).spentToday).toBe(spentToday)
    expect((await ask(kit, body)).status).toBe(200)
  })
  it('[S7.1] a user without any SOL can send tokens when the fee is sponsored', async () => {
    const [kit, alice, bob] = [await signedIn(), Keypair.generate(), Keypair.generate()]
    const minted = async ({ publicKey }: Keypair) => {
      const body = JSON.stringify({ owner: publicKey.toBase58(), amount: '5000000' })
      const response = await fetch(`${chain.url}/admin/mint`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const { mint, account } = await response.json()
      return { mint: new PublicKey(mint), account: new PublicKey(account) }
    }
    const [from, to] = [await minted(alice), await minted(bob)]
    const data = Buffer.alloc(10)
    data.writeUInt8(12)
    data.writeBigUInt64LE(1_500_000n, 1)
    data.writeUInt8(6, 9)
    const transferChecked = new TransactionInstruction({
      programId: new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
      keys: [
        { pubkey: from.account, isSigner: false, isWritable: true },
        { pubkey: from.mint, isSigner: false, isWritable: false },
        { pubkey: to.account, isSigner: false, isWritable: true },
        { pubkey: alice.publicKey, isSigner: true, isWritable: false },
      ],
      data,
    })
    const original = await draft(alice.publicKey, transferChecked)
    expect((await ask(kit, order(alice, original))).body.code).toBe('insufficient_prefund')
    await land(read(await sponsor(kit, alice, 'local', original)), alice)
    expect((await connection.getTokenAccountBalance(to.account)).value.uiAmountString).toBe('6.5')
    expect(await connection.getBalance(alice.publicKey)).toBe(0)
  })
  it('the sponsor’s signature is invalid for a transaction that was changed afterwards', async () => {
    const [kit, alice] = [await signedIn(), await funded()]
    const better = read(await sponsor(kit, alice))
    const { instructions, payerKey, recentBlockhash } = TransactionMessage.decompile(better.message)
    const other = new TransactionMessage({
      payerKey,
      recentBlockhash,
      instructions: [
        ...instructions,
        SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: alice.publicKey, lamports: SOL }),
      ],
    })
    const tampered = new VersionedTransaction(other.compileToLegacyMessage(), better.signatures)
    await expect(land(tampered, alice)).rejects.toThrow(/signature verification/i)
  })
  it('sponsors v0 transactions, and resolves lookup tables before checking for the sponsor’s account', async () => {
    const [kit, alice] = [await signedIn(), await funded()]
    const { address } = await getSponsor()
    const receivers = [new PublicKey(address), ...Array.from({ length: 3 }, () => Keypair.generate().publicKey)]
    const recentSlot = (await connection.getSlot()) - 1
    const owner = { authority: alice.publicKey, payer: alice.publicKey }
    const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({ ...owner, recentSlot })
    const extend = AddressLookupTableProgram.extendLookupTable({ ...owner, lookupTable, addresses: receivers })
    await land(await draft(alice.publicKey, create, extend), alice)
    chain.advanceSlots(1)
    const { value: table } = await connection.getAddressLookupTable(lookupTable)
    const over = async (...to: PublicKey[]) => {
      const message = new TransactionMessage({
        payerKey: alice.publicKey,
        recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
        instructions: to.map(receiver => transfer(alice, 1_000_000, receiver)),
      })
      return new VersionedTransaction(message.compileToV0Message(table ? [table] : []))
    }
    const good = read(await sponsor(kit, alice, 'local', await over(...receivers.slice(1))))
    expect(good.message.addressTableLookups).toHaveLength(1)
    await land(good, alice)
    expect(await connection.getBalance(receivers[1] ?? alice.publicKey)).toBe(1_000_000)

    const hidden = await sponsor(kit, alice, 'local', await over(...receivers))
    expect(hidden.body).toMatchObject({ details: { reason: 'sponsor_account' } })
    const missing = await over(...receivers.slice(1))
    for (const lookup of missing.message.addressTableLookups) lookup.writableIndexes.push(200)
    expect((await ask(kit, order(alice, missing))).body.details).toEqual({ reason: 'lookup_table' })
    for (const lookup of missing.message.addressTableLookups) lookup.accountKey = alice.publicKey
    expect((await ask(kit, order(alice, missing))).body.details).toEqual({ reason: 'lookup_table' })
  })
  it('[S8.9] refuses to sponsor instructions outside its policy or those that use the sponsor’s own account', async () => {
    const [kit, alice, bob] = [await signedIn(), await funded(), await funded()]
    const payer = new PublicKey((await getSponsor()).address)
    const drained = SystemProgram.transfer({ fromPubkey: payer, toPubkey: alice.publicKey, lamports: SOL })
    const rent = new TransactionInstruction({
      programId: ASSOCIATED,
      keys: [
        { pubkey: payer, isSigner: true, isWritable: true },
        { pubkey: alice.publicKey, isSigner: true, isWritable: true },
      ],
      data: Buffer.of(1),
    })
    const create = SystemProgram.createAccount({
      fromPubkey: alice.publicKey,
      newAccountPubkey: bob.publicKey,
      lamports: SOL,
      space: 0,
      programId: MEMO,
    })
    const unknown = new TransactionInstruction({ programId: StakeProgram.programId, keys: [] })
    const greedy = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
    ]
    const stale = await simple(alice)
    chain.advanceSlots(151)
    const drafted = (...instructions: TransactionInstruction[]) => draft(alice.publicKey, ...instructions)
    const attacks = {
      sponsor_account: [await drafted(transfer(alice), drained), await drafted(transfer(alice), rent)],
      fee_payer: [await draft(payer, transfer(alice)), await draft(bob.publicKey, transfer(alice))],
      program: [await drafted(transfer(alice), unknown)],
      instruction: [await drafted(create)],
      fee: [await drafted(...greedy, transfer(alice))],
      blockhash: [stale],
    }
    for (const [reason, transactions] of Object.entries(attacks))
      for (const transaction of transactions) {
        const answer = await sponsor(kit, alice, 'local', transaction)
        await refused(answer, 403, 'no_gas_sponsoring_policy', { reason })
      }
    const alone = await sponsor(kit, alice, 'local', await drafted(memo()))
    expect(alone.body).toMatchObject({ code: 'invalid_transaction', details: { reason: 'signer' } })
    const sponsorDraft = await draft(payer, transfer(alice))
    const asSponsor = { ...order(alice, sponsorDraft), address: payer.toBase58(), sponsor: true }
    expect((await ask(kit, asSponsor)).body.details).toEqual({ reason: 'sponsor_account' })
    const tooMuch = await drafted(transfer(alice, 2 * SOL))
    expect((await sponsor(kit, alice, 'local', tooMuch)).body.code).toBe('insufficient_prefund')
    const elsewhere = await sponsor(await signedIn('plain'), alice, 'plain')
    expect(elsewhere.body).toMatchObject({ message: 'No gas sponsoring policy applies to this transaction.' })
    const poor = await sponsor(await signedIn('live'), alice, 'live')
    expect(poor.body.details).toEqual({ reason: 'empty' })
  })
  it('counts the same sponsored transaction once, and refuses others at the user’s daily limit', async () => {
    const [kit, alice] = [await signedIn(), await funded()]
    const before = (await getSponsor()).spentToday
    const same = order(alice, await simple(alice), { sponsor: true })
    const answers = await Promise.all([ask(kit, same), ask(kit, same), ask(kit, same)])
    expect(new Set(answers.map(({ body }) => body.transaction)).size).toBe(1)
    expect((await getSponsor()).spentToday - before).toBe(SPONSORED)

    const others = await Promise.all(Array.from({ length: 14 }, () => sponsor(kit, alice)))
    const refused = others.filter(({ status }) => status === 403)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.body.details).toMatchObject({ reason: 'daily_limit', limit: 'user' })
    expect((await getSponsor()).spentToday - before).toBe(10 * SPONSORED)
    // Another user is not affected.
    expect((await sponsor(await signedIn(), alice)).status).toBe(200)
  })
  it('new accounts of one network cannot use up the day’s budget of all users', async () => {
    const alice = await funded()
    const from = async (address: string) => {
      const body = order(alice, await simple(alice), { sponsor: true })
      const headers = { 'x-forwarded-for': address }
      return (await signedIn('crowd')).call('/solana/optimize', { body, environmentId: 'crowd', headers })
    }
    for (const end of [1, 2, 3]) expect((await from(`2001:db8:7:${end}::1`)).status).toBe(200)
    await refused(from('2001:db8:7:4::1'), 429, 'too_many_requests')
    expect((await from('198.51.100.7')).status).toBe(200)
  })
  it('enforces the environment’s daily sponsoring limit under concurrent requests, and resets it the next day', async () => {
    const alice = await funded()
    const kits = await Promise.all([signedIn('tight'), signedIn('tight'), signedIn('tight')])
    const sponsorOnce = (kit: Kit) => sponsor(kit, alice, 'tight')
    const answers = await Promise.all(kits.flatMap(kit => Array.from({ length: 4 }, () => sponsorOnce(kit))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const limits = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.details.limit]))
    expect(limits).toEqual(Array.from({ length: 7 }, () => 'environment'))
    world.api.clock.advance(86_400_000)
    await world.api.sweep()
    expect((await sponsorOnce(await signedIn('tight'))).status).toBe(200)
    world.api.clock.reset()
  })
  it('releases the budget of a sponsored transaction only once it can never land', async () => {
    const [kit, alice] = [await signedIn('brief'), await funded()]
    const sponsorOnce = () => sponsor(kit, alice, 'brief')
    const full = { status: 403, body: { details: { reason: 'daily_limit', limit: 'environment' } } }
    await land(read(await sponsorOnce()), alice)
    const abandoned = read(await sponsorOnce())
    expect(await sponsorOnce()).toMatchObject(full)
    // The blockhash has expired, but a node may lag behind.
    chain.advanceSlots(200)
    expect(await sponsorOnce()).toMatchObject(full)
    chain.advanceSlots(200)
    chain.faults.add({ type: 'error', status: 500, method: 'getSignatureStatuses' })
    expect(await sponsorOnce()).toMatchObject(full)
    chain.faults.clear()
    await expect(land(abandoned, alice)).rejects.toThrow(/Blockhash not found/)
    expect((await sponsorOnce()).status).toBe(200)
    expect(await sponsorOnce()).toMatchObject(full)
  })
  it('creates one sealed sponsor key per environment at the first start, and keeps it', async () => {
    const { address } = await getSponsor()
    await world.stop()
    const { db, close } = await openDatabase({ dataDir: join(dataDir, 'db') })
    const rows = await db.select().from(sponsors)
    await close()
    expect(rows.map(({ environmentId }) => environmentId).sort()).toEqual(['brief', 'crowd', 'live', 'local', 'tight'])
    const row = rows.find(({ environmentId }) => environmentId === 'local')
    expect(row?.address).toBe(address)
    const envelope = createEnvelope(loadKeys({ file: join(dataDir, 'keys.json') }).keks)
    const secret = envelope.open(row?.sealed ?? '', 'sponsor local')
    expect(Keypair.fromSeed(secret).publicKey.toBase58()).toBe(address)
    // The key is sealed for this environment only.
    expect(() => envelope.open(row?.sealed ?? '', 'sponsor live')).toThrow()
    expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).not.toContain(Buffer.from(secret).toString('base64url'))
    world = await start()
    expect((await getSponsor()).address).toBe(address)
    expect(JSON.stringify(world.logs)).not.toContain(address)
  })
})
