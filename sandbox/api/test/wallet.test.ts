/** Tests sign-in with a Solana wallet. */
import { createHash, type KeyObject, sign } from 'node:crypto'
import { startChain } from '@keybay/sandbox-chain'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { createSignInMessageText, parseSignInMessageText } from '@solana/wallet-standard-util'
import { Connection, LAMPORTS_PER_SOL, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, describe, expect, it } from 'vitest'
import { APP, getStatuses, type Kit, refused, settings, startWorld } from './client.js'

const world = await startWorld({
  environments: { local: { ...settings, signIn: { walletTransaction: true } }, messages: settings },
})
afterAll(world.stop)

interface Wallet {
  readonly key: KeyObject
  readonly address: string
}

function newWallet(): Wallet {
  const { privateKey, publicKey } = newKeyPair('Ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { key: privateKey, address: bs58.encode(Buffer.from(x, 'base64url')) }
}

function base64(data: string | Uint8Array) {
  return Buffer.from(data).toString('base64')
}

type Fields = Parameters<typeof createSignInMessageText>[0]

async function prepare(kit: Kit, wallet: Wallet, fields: Partial<Fields> = {}, environmentId = 'local') {
  const { body } = await kit.call('/auth/nonce', { method: 'POST', environmentId })
  const text = createSignInMessageText({
    domain: 'app.localhost:4000',
    address: wallet.address,
    statement: 'Sign in to Acme.',
    uri: APP,
    version: '1',
    chainId: 'solana:localnet',
    nonce: body.nonce,
    issuedAt: new Date(world.api.clock.now()).toISOString(),
    ...fields,
  })
  return { nonceId: body.nonceId, nonce: body.nonce, text }
}

function getProof(wallet: Wallet, { nonceId, text }: { nonceId: string; text: string }) {
  return {
    type: 'message',
    address: wallet.address,
    nonceId,
    message: base64(text),
    signature: base64(sign(null, Buffer.from(text), wallet.key)),
    walletName: 'Test wallet',
  }
}

function signIn(kit: Kit, proof: object, headers = {}) {
  return kit.call('/auth/wallet', { body: { proof }, headers })
}

describe('a signed message', () => {
  it('signs in with a signed message, and the same address is the same user', async () => {
    const wallet = newWallet()
    const kit = world.kit()
    const prepared = await prepare(kit, wallet)
    expect(parseSignInMessageText(prepared.text)).toMatchObject({ nonce: prepared.nonce, address: wallet.address })
    const first = await signIn(kit, getProof(wallet, prepared), { origin: APP })
    expect(first.body).toMatchObject({
      status: 'authenticated',
      user: {
        credentials: [{ method: 'blockchain', chain: 'SOL', address: wallet.address, walletName: 'Test wallet' }],
      },
    })
    const other = world.kit()
    const again = await signIn(other, getProof(wallet, await prepare(other, wallet)))
    expect(again.body).toMatchObject({ isNewUser: false, user: { id: first.body.user.id } })
  })
  it('signs in with a signed message that has only a domain, an address and a nonce', async () => {
    const wallet = newWallet()
    const kit = world.kit()
    const bare = { statement: undefined, uri: undefined, version: undefined, chainId: undefined, issuedAt: undefined }
    const prepared = await prepare(kit, wallet, bare)
    expect((await signIn(kit, getProof(wallet, prepared))).status).toBe(200)
  })
  it('accepts a signed sign-in message once', async () => {
    const wallet = newWallet()
    const kit = world.kit()
    const proof = getProof(wallet, await prepare(kit, wallet))
    const answers = await Promise.all([signIn(kit, proof), signIn(kit, proof)])
    expect(getStatuses(answers)).toEqual([200, 400])
    await refused(signIn(kit, proof), 400, 'invalid_nonce')
  })
  it('refuses a signed sign-in message from another session key or after ten minutes', async () => {
    const wallet = newWallet()
    const kit = world.kit()
    const proof = getProof(wallet, await prepare(kit, wallet))
    expect(await signIn(world.kit(), proof)).toMatchObject({ body: { code: 'invalid_nonce' } })
    world.api.clock.advance(600_001)
    expect(await signIn(kit, proof)).toMatchObject({ body: { code: 'invalid_nonce' } })
  })
  it('refuses a sign-in message that was signed for another nonce', async () => {
    const wallet = newWallet()
    const kit = world.kit()
    const old = await prepare(kit, wallet)
    const { nonceId } = await prepare(kit, wallet)
    await refused(signIn(kit, getProof(wallet, { ...old, nonceId })), 400, 'invalid_nonce')
  })
  it.each([
    ['domain', { domain: 'evil.example' }],
    ['uri', { uri: 'https://evil.example/' }],
    ['uri', { uri: 'nowhere' }],
    ['version', { version: '2' }],
    ['chainId', { chainId: 'eip155:1' }],
    ['address', { address: '11111111111111111111111111111111' }],
    ['nonce', { nonce: undefined }],
    ['issuedAt', { issuedAt: '2001-01-01T00:00:00Z' }],
    ['issuedAt', { issuedAt: 'yesterday' }],
    ['expirationTime', { expirationTime: '2001-01-01T00:00:00Z' }],
    ['notBefore', { notBefore: '2999-01-01T00:00:00Z' }],
    ['form', { statement: 'Send\n\nURI: http://app.localhost:4000\n\nme' }],
  ])('refuses a sign-in message with a wrong %s: %o', async (reason, fields) => {
    const wallet = newWallet()
    const kit = world.kit()
    const answer = await signIn(kit, getProof(wallet, await prepare(kit, wallet, fields)))
    await refused(answer, 400, 'invalid_message', { reason })
  })
  it('refuses a sign-in message that names another page of the environment than the requesting page', async () => {
    const wallet = newWallet()
    const kit = world.kit()
    const proof = getProof(wallet, await prepare(kit, wallet))
    const answer = await signIn(kit, proof, { origin: 'http://localhost:4000' })
    expect(answer.body).toMatchObject({ code: 'invalid_message', details: { reason: 'domain' } })
  })
  it('refuses a sign-in message signed by another key or by a weak key', async () => {
    const [wallet, other] = [newWallet(), newWallet()]
    const kit = world.kit()
    const prepared = await prepare(kit, wallet)
    const forged = { ...getProof(other, prepared), address: wallet.address }
    await refused(signIn(kit, forged), 401, 'invalid_signature')
    // The identity point: with lax rules R = A, S = 0 verifies any message.
    const identity = Buffer.alloc(32)
    identity[0] = 1
    const weak = { key: wallet.key, address: bs58.encode(identity) }
    const text = (await prepare(kit, weak)).text
    const signature = base64(Buffer.concat([identity, Buffer.alloc(32)]))
    const answer = await signIn(kit, { ...getProof(weak, { nonceId: prepared.nonceId, text }), signature })
    await refused(answer, 401, 'invalid_signature')
  })
})

describe('a transaction that is never sent', () => {
  const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
  const build = (
    wallet: Wallet,
    { text, nonce }: { text: string; nonce: string },
    more: TransactionInstruction[] = [],
  ) => {
    const blockhash = createHash('sha256').update(`app.localhost:4000${nonce}`).digest()
    const transaction = new Transaction({
      feePayer: new PublicKey(wallet.address),
      recentBlockhash: bs58.encode(blockhash),
    })
    transaction.add(new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(text) }), ...more)
    const message = transaction.serializeMessage()
    transaction.addSignature(new PublicKey(wallet.address), sign(null, message, wallet.key))
    return base64(transaction.serialize())
  }
  const proof = (wallet: Wallet, prepared: { nonceId: string; text: string }, transaction: string) => ({
    type: 'transaction',
    address: wallet.address,
    nonceId: prepared.nonceId,
    message: base64(prepared.text),
    transaction,
  })
  it('[S6.4] signs in with a transaction of web3.js if the wallet cannot sign messages', async () => {
    const wallet = newWallet()
    const kit = world.kit()
    const prepared = await prepare(kit, wallet)
    const answer = await signIn(kit, proof(wallet, prepared, build(wallet, prepared)), { origin: APP })
    expect(answer.body).toMatchObject({ status: 'authenticated', user: { credentials: [{ address: wallet.address }] } })
  })
  it('[S6.4] the chain never accepts a sign-in transaction, even if the signer has funds and signed correctly', async () => {
    const chain = await startChain({ slotMs: 0 })
    try {
      const wallet = newWallet()
      const connection = new Connection(chain.url, { wsEndpoint: chain.wsUrl, commitment: 'confirmed' })
      await connection.requestAirdrop(new PublicKey(wallet.address), LAMPORTS_PER_SOL)
      chain.advanceSlots(1)
      const before = await connection.getBalance(new PublicKey(wallet.address))
      expect(before).toBe(LAMPORTS_PER_SOL)
      const signed = Buffer.from(build(wallet, await prepare(world.kit(), wallet)), 'base64')
      await expect(connection.sendRawTransaction(signed)).rejects.toThrow(/Blockhash not found/)
      // A node may pass the transaction on unchecked, but it never lands.
      const signature = await connection.sendRawTransaction(signed, { skipPreflight: true })
      chain.advanceSlots(1)
      expect((await connection.getSignatureStatuses([signature])).value).toEqual([null])
      expect(await connection.getBalance(new PublicKey(wallet.address))).toBe(before)
      // A blockhash of the chain would make it a valid transaction: only its blockhash prevents it from landing.
      const { blockhash } = await connection.getLatestBlockhash()
      const real = Transaction.from(signed)
      real.recentBlockhash = blockhash
      real.signatures = []
      real.addSignature(new PublicKey(wallet.address), sign(null, real.serializeMessage(), wallet.key))
      await connection.sendRawTransaction(real.serialize())
      chain.advanceSlots(1)
      expect(await connection.getBalance(new PublicKey(wallet.address))).toBeLessThan(before)
    } finally {
      await chain.stop()
    }
  })
  it('refuses a transaction to sign in and to link where the environment does not enable it', async () => {
    const environmentId = 'messages'
    const wallet = newWallet()
    const signedIn = await world.signedIn('messages@example.com', environmentId)
    expect((await signedIn.call('/settings', { environmentId })).body.signIn.walletTransaction).toBe(false)
    for (const [kit, path, status] of [
      [signedIn, '/users/me/credentials/wallet', 201],
      [world.kit(), '/auth/wallet', 200],
    ] as const) {
      const prepared = await prepare(kit, wallet, {}, environmentId)
      const body = { proof: proof(wallet, prepared, build(wallet, prepared)) }
      await refused(kit.call(path, { body, environmentId }), 403, 'method_not_enabled', { reason: 'transaction' })
      const answer = await kit.call(path, { body: { proof: getProof(wallet, prepared) }, environmentId })
      expect(answer.status).toBe(status)
    }
  })
  it('refuses a sign-in transaction if any part of it differs', async () => {
    const wallet = newWallet()
    const kit = world.kit()
    const prepared = await prepare(kit, wallet)
    const extra = new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from('more') })
    const realBlockhash = build(wallet, { ...prepared, nonce: 'another' })
    for (const transaction of [build(wallet, prepared, [extra]), realBlockhash, base64('x')])
      await refused(signIn(kit, proof(wallet, prepared, transaction)), 400, 'invalid_message', {
        reason: 'transaction',
      })
    const good = Buffer.from(build(wallet, prepared), 'base64')
    good[1] = (good[1] ?? 0) ^ 1
    expect(await signIn(kit, proof(wallet, prepared, base64(good)))).toMatchObject({
      body: { code: 'invalid_signature' },
    })
  })
})
