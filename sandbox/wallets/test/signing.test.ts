// @vitest-environment happy-dom
import { createPublicKey, verify } from 'node:crypto'
import { verifySignIn } from '@solana/wallet-standard-util'
import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, dialog, getFeatures, press, register, reload } from './page.js'

const BLOCKHASH = bs58.encode(new Uint8Array(32).fill(7))
const RECIPIENT = Keypair.generate().publicKey

function bytes(text: string) {
  return new TextEncoder().encode(text)
}

/** Verifies with Node's own Ed25519, which shares nothing with the wallet. */
function verifyWithNode(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  })
  return verify(null, message, key, signature)
}

function transfer(from: PublicKey, lamports = 1_500_000_000) {
  return SystemProgram.transfer({ fromPubkey: from, toPubkey: RECIPIENT, lamports })
}

function versioned(payer: PublicKey, tables: AddressLookupTableAccount[] = []) {
  return new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer,
      recentBlockhash: BLOCKHASH,
      instructions: [transfer(payer)],
    }).compileToV0Message(tables),
  )
}

function legacy(payer: PublicKey) {
  return new Transaction({ feePayer: payer, recentBlockhash: BLOCKHASH }).add(transfer(payer))
}

function serialize(transaction: Transaction) {
  return transaction.serialize({ requireAllSignatures: false })
}

beforeEach(() => localStorage.clear())
afterEach(reload)

async function ready(approveAll = true) {
  const handle = register()
  const account = await connect(handle)
  handle.approveAll = approveAll
  return { handle, account, features: getFeatures(handle.wallet), payer: new PublicKey(account.address) }
}

describe('messages', () => {
  it('signs each message so that tweetnacl and Node verify the signature', async () => {
    const { features, account } = await ready()
    const messages = [bytes('hello'), new Uint8Array(), crypto.getRandomValues(new Uint8Array(1000))]
    const outputs = await features['solana:signMessage'].signMessage(...messages.map(message => ({ account, message })))
    expect(outputs).toHaveLength(3)
    for (const [index, { signature, signedMessage }] of outputs.entries()) {
      expect(signedMessage).toEqual(messages[index])
      expect(nacl.sign.detached.verify(signedMessage, signature, new Uint8Array(account.publicKey))).toBe(true)
      expect(verifyWithNode(signedMessage, signature, new Uint8Array(account.publicKey))).toBe(true)
      expect(verifyWithNode(bytes('another'), signature, new Uint8Array(account.publicKey))).toBe(false)
    }
  })
  it('signs the message that it showed, even if the page changes its Buffer afterwards', async () => {
    const { handle, features, account } = await ready(false)
    const message = Buffer.from('pay 1')
    const answer = features['solana:signMessage'].signMessage({ account, message })
    message.write('pay 9')
    expect(dialog()?.querySelector('pre')?.textContent).toBe('pay 1')
    handle.approve()
    const [output] = await answer
    expect(output?.signedMessage).toEqual(bytes('pay 1'))
  })
  it('shows markup as text, names invisible characters, and shows bytes that are not text as base58', async () => {
    const { features, account } = await ready(false)
    const answers = [bytes('<img src=x onerror=alert(1)>\u202e'), Uint8Array.of(255, 254, 0)].map(message =>
      features['solana:signMessage'].signMessage({ account, message }).catch(() => 'rejected'),
    )
    expect(dialog()?.querySelector('pre')?.textContent).toBe('<img src=x onerror=alert(1)>‹U+202E›')
    expect(dialog()?.querySelector('pre img')).toBeNull()
    press('Reject')
    expect(dialog()?.querySelector('pre')?.textContent).toBe(`3 bytes, base58:\n${bs58.encode([255, 254, 0])}`)
    press('Reject')
    expect(await Promise.all(answers)).toEqual(['rejected', 'rejected'])
  })
  it('refuses to sign with an account that the site was not given', async () => {
    const { handle, features, account } = await ready()
    handle.switchAccount(1)
    const answer = features['solana:signMessage'].signMessage({ account, message: bytes('x') })
    await expect(answer).rejects.toThrow('not been authorized')
  })
})

describe('transactions', () => {
  it('signs a legacy transaction that web3.js accepts', async () => {
    const { features, account, payer } = await ready()
    const [output] = await features['solana:signTransaction'].signTransaction({
      account,
      chain: 'solana:localnet',
      transaction: serialize(legacy(payer)),
    })
    const signed = Transaction.from(output?.signedTransaction ?? [])
    expect(signed.verifySignatures()).toBe(true)
    const message = signed.serializeMessage()
    expect(verifyWithNode(message, signed.signature ?? Buffer.alloc(64), payer.toBytes())).toBe(true)
  })
  it('signs several versioned transactions at once, with and without a lookup table', async () => {
    const { features, account, payer } = await ready()
    const table = new AddressLookupTableAccount({
      key: Keypair.generate().publicKey,
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [RECIPIENT],
      },
    })
    const outputs = await features['solana:signTransaction'].signTransaction(
      { account, transaction: versioned(payer).serialize() },
      { account, transaction: versioned(payer, [table]).serialize() },
    )
    for (const { signedTransaction } of outputs) {
      const signed = VersionedTransaction.deserialize(signedTransaction)
      const [signature = new Uint8Array()] = signed.signatures
      expect(verifyWithNode(signed.message.serialize(), signature, payer.toBytes())).toBe(true)
    }
  })
  it('keeps the signatures of other signers', async () => {
    const { features, account, payer } = await ready()
    const other = Keypair.generate()
    const transaction = new Transaction({ feePayer: other.publicKey, recentBlockhash: BLOCKHASH }).add(transfer(payer))
    transaction.partialSign(other)
    const [output] = await features['solana:signTransaction'].signTransaction({
      account,
      transaction: serialize(transaction),
    })
    expect(Transaction.from(output?.signedTransaction ?? []).verifySignatures(true)).toBe(true)
  })
  it('shows a transfer in words, with the exact amount and the whole address', async () => {
    const { features, account, payer } = await ready(false)
    const answer = features['solana:signTransaction'].signTransaction({
      account,
      chain: 'solana:devnet',
      transaction: serialize(legacy(payer)),
    })
    expect(dialog()?.querySelector('.amount')?.textContent).toBe('1.5 SOL')
    expect(dialog()?.textContent).toContain(RECIPIENT.toBase58())
    expect(dialog()?.querySelector('.badge')?.textContent).toBe('Devnet')
    press('Reject')
    await expect(answer).rejects.toMatchObject({ code: 4001 })
  })
  it('names the other programs of a transaction and shows their data', async () => {
    const { features, account, payer } = await ready(false)
    const memo = {
      programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      keys: [],
      data: Buffer.from('hi'),
    }
    const foreign = { programId: RECIPIENT, keys: [], data: Buffer.from([1, 2, 3]) }
    const transaction = new Transaction({ feePayer: payer, recentBlockhash: BLOCKHASH }).add(memo, foreign)
    const answer = features['solana:signTransaction'].signTransaction({ account, transaction: serialize(transaction) })
    for (const words of ['Memo', 'hi', RECIPIENT.toBase58(), bs58.encode([1, 2, 3])])
      expect(dialog()?.textContent).toContain(words)
    press('Approve')
    await expect(answer).resolves.toHaveLength(1)
  })
  it('refuses an invalid transaction, a foreign signer and another chain before it asks the user', async () => {
    const { handle, features, account, payer } = await ready(false)
    const { signTransaction } = features['solana:signTransaction']
    const foreign = serialize(legacy(RECIPIENT))
    const cut = serialize(legacy(payer)).subarray(0, 100)
    await expect(signTransaction({ account, transaction: new Uint8Array(3) })).rejects.toThrow('Invalid transaction')
    await expect(signTransaction({ account, transaction: cut })).rejects.toThrow('Invalid transaction')
    await expect(signTransaction({ account, transaction: foreign })).rejects.toThrow('not a signer')
    const elsewhere = signTransaction({ account, chain: 'solana:moon', transaction: serialize(legacy(payer)) })
    await expect(elsewhere).rejects.toThrow('not on this chain')
    expect(handle.pending).toBeUndefined()
  })
})

describe('sign in', () => {
  it('connects and signs in with one approval, with the message of the standard', async () => {
    const handle = register()
    const input = { domain: location.host, statement: 'Welcome.', nonce: 'abcdefgh', chainId: 'solana:localnet' }
    const answer = getFeatures(handle.wallet)['solana:signIn'].signIn(input)
    expect(dialog()?.querySelector('pre')?.textContent).toContain('Welcome.')
    press('Approve')
    const [output] = await answer
    if (!output) throw new Error('No answer')
    expect(verifySignIn({ ...input, address: handle.addresses[0] ?? '' }, output)).toBe(true)
    expect(handle.wallet.accounts).toEqual([output.account])
  })
  it('sign-in fills in the domain, warns of a foreign domain, and refuses a foreign address', async () => {
    const handle = register()
    const { signIn } = getFeatures(handle.wallet)['solana:signIn']
    const foreign = signIn({ domain: 'bank.example' })
    expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain('another site')
    press('Reject')
    await expect(foreign).rejects.toMatchObject({ code: 4001 })
    await expect(signIn({ address: RECIPIENT.toBase58() })).rejects.toThrow('not the active account')
    handle.approveAll = true
    const [output] = await signIn()
    expect(new TextDecoder().decode(output?.signedMessage)).toMatch(
      new RegExp(`^${location.host} wants you to sign in`),
    )
  })
})
