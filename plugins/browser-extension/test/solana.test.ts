// @vitest-environment happy-dom
import { createKeybay } from '@keybay/kernel'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { afterEach, describe, expect, it } from 'vitest'
import { browserExtension } from '../src/index.js'
import { clearPage, createExtension, inject } from './support.js'

const hosts: { dispose(): void }[] = []
afterEach(() => {
  for (const host of hosts.splice(0)) host.dispose()
  clearPage()
})
const ID = 'browser-extension:phantom'

async function connected(patch: object = {}) {
  const extension = createExtension()
  inject('phantom', { solana: Object.create(extension.solana, Object.getOwnPropertyDescriptors(patch)) })
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [browserExtension()] })
  hosts.push(keybay)
  keybay.connectors.list()
  const connection = await keybay.connect(ID)
  if (!('accounts' in connection)) throw new Error('It is a wallet')
  const [account] = connection.accounts
  const wallet = keybay.connectors.get(ID)?.wallet
  if (!account || !wallet) throw new Error('There is an account')
  const { features } = wallet
  return { keybay, extension, account, features, payer: new PublicKey(account.address) }
}
const blockhash = bs58.encode(new Uint8Array(32).fill(7))

function transfer(from: PublicKey, lamports: number) {
  return SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports })
}

function legacy(payer: PublicKey, ...others: readonly Keypair[]) {
  const transaction = new Transaction({ feePayer: payer, recentBlockhash: blockhash }).add(
    transfer(payer, 5),
    ...others.map(({ publicKey }) => transfer(publicKey, 6)),
  )
  if (others.length) transaction.partialSign(...others)
  return Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

function versioned(payerKey: PublicKey) {
  return new VersionedTransaction(
    new TransactionMessage({
      payerKey,
      recentBlockhash: blockhash,
      instructions: [transfer(payerKey, 9)],
    }).compileToV0Message(),
  ).serialize()
}
/** The message is the one that went in, and the account has signed it. */
function check(given: Uint8Array, signed: Uint8Array | undefined, payer: PublicKey) {
  const before = VersionedTransaction.deserialize(given)
  const after = VersionedTransaction.deserialize(signed ?? new Uint8Array())
  expect(after.message.serialize()).toEqual(before.message.serialize())
  const [signature] = after.signatures
  expect(nacl.sign.detached.verify(after.message.serialize(), signature ?? new Uint8Array(64), payer.toBytes())).toBe(
    true,
  )
}

describe('an injected wallet', () => {
  it('signs a message; a refusal is user_rejected', async () => {
    const { account, features, extension } = await connected()
    const message = new TextEncoder().encode('Hello')
    const [output] = (await features['solana:signMessage']?.signMessage({ account, message })) ?? []
    expect(output?.signedMessage).toEqual(message)
    expect(
      nacl.sign.detached.verify(message, output?.signature ?? new Uint8Array(64), new Uint8Array(account.publicKey)),
    ).toBe(true)
    extension.person = 'refuses'
    await expect(features['solana:signMessage']?.signMessage({ account, message })).rejects.toMatchObject({
      code: 'user_rejected',
      connectorId: ID,
    })
  })
  it('signs legacy and versioned transactions, and several at once with one question', async () => {
    const { account, features, extension, payer } = await connected()
    const sign = features['solana:signTransaction']
    for (const transaction of [legacy(payer), versioned(payer)]) {
      const [output] = (await sign?.signTransaction({ account, transaction })) ?? []
      check(transaction, output?.signedTransaction, payer)
    }
    const before = extension.asked.length
    const both = [legacy(payer), versioned(payer)]
    const outputs = (await sign?.signTransaction(...both.map(transaction => ({ account, transaction })))) ?? []
    expect(extension.asked.length).toBe(before + 1)
    for (const [index, transaction] of both.entries()) check(transaction, outputs[index]?.signedTransaction, payer)
  })
  it('keeps the signatures of others', async () => {
    const { account, features, payer } = await connected()
    const other = Keypair.generate()
    const transaction = legacy(payer, other)
    const [output] = (await features['solana:signTransaction']?.signTransaction({ account, transaction })) ?? []
    const { signatures, message } = VersionedTransaction.deserialize(output?.signedTransaction ?? new Uint8Array())
    expect(signatures).toHaveLength(2)
    const own = message.staticAccountKeys.findIndex(key => key.equals(other.publicKey))
    expect(
      nacl.sign.detached.verify(message.serialize(), signatures[own] ?? new Uint8Array(64), other.publicKey.toBytes()),
    ).toBe(true)
  })
  it('takes what older wallets answer: bytes for a signature, the older class for a transaction', async () => {
    const key = Keypair.generate()
    const { account, features } = await connected({
      publicKey: key.publicKey,
      connect: async () => undefined,
      signMessage: async (message: Uint8Array) => nacl.sign.detached(message, key.secretKey),
      signAllTransactions: undefined,
      signTransaction: async (transaction: VersionedTransaction) => {
        const old = Transaction.from(transaction.serialize())
        old.partialSign(key)
        return old
      },
    })
    expect(account.address).toBe(key.publicKey.toBase58())
    const message = Uint8Array.of(1, 2, 3)
    const [output] = (await features['solana:signMessage']?.signMessage({ account, message })) ?? []
    expect(output?.signature).toHaveLength(64)
    const transactions = [legacy(key.publicKey), legacy(key.publicKey)]
    const inputs = transactions.map(transaction => ({ account, transaction }))
    const signed = (await features['solana:signTransaction']?.signTransaction(...inputs)) ?? []
    for (const [index, one] of transactions.entries()) check(one, signed[index]?.signedTransaction, key.publicKey)
  })
  it('an account says only what its wallet can do, and what is missing is said by name', async () => {
    const { account, features, payer } = await connected({ signAndSendTransaction: undefined })
    expect(account.features).toEqual(['solana:signMessage', 'solana:signTransaction'])
    const chain = 'solana:localnet'
    await expect(
      features['solana:signAndSendTransaction']?.signAndSendTransaction({ account, transaction: legacy(payer), chain }),
    ).rejects.toMatchObject({ code: 'feature_missing', message: expect.stringContaining('signAndSendTransaction') })
  })
  it.each([
    ['nothing', undefined],
    ['a short signature', { signature: new Uint8Array(63) }],
    ['text that is no signature', { signature: 'no' }],
  ])('%s is no answer', async (_name, answer) => {
    const { account, features } = await connected({ signMessage: async () => answer })
    await expect(
      features['solana:signMessage']?.signMessage({ account, message: Uint8Array.of(1) }),
    ).rejects.toMatchObject({ code: 'extension_answer_invalid' })
  })
  it.each([
    ['Extension context invalidated.', undefined, 'extension_gone'],
    ['Could not establish connection. Receiving end does not exist.', undefined, 'extension_gone'],
    ['The provider is disconnected', 4900, 'extension_gone'],
    ['Request already pending', -32002, 'extension_busy'],
    ['The wallet is locked', 4100, 'wallet_locked'],
  ])('“%s” (%s) is %s', async (message, code, expected) => {
    const { account, features } = await connected({
      async signMessage() {
        throw Object.assign(new Error(message), { code })
      },
    })
    await expect(
      features['solana:signMessage']?.signMessage({ account, message: Uint8Array.of(1) }),
    ).rejects.toMatchObject({ code: expected, connectorId: ID })
  })
  it('follows a switched account, and refuses to sign for the one before', async () => {
    const { keybay, account, extension, features } = await connected()
    await extension.change({ active: 1 })
    const now = keybay.connections.get(ID)?.accounts[0]
    expect(now?.address).not.toBe(account.address)
    await expect(
      features['solana:signMessage']?.signMessage({ account, message: Uint8Array.of(1) }),
    ).rejects.toMatchObject({ code: 'account_not_found' })
  })
  it('closes when the wallet locks, and asks to unlock when the user connects again', async () => {
    const { keybay, extension } = await connected()
    await extension.change({ locked: true })
    await expect.poll(() => keybay.connections.get(ID)).toBeUndefined()
    const before = extension.asked.length
    await keybay.connect(ID)
    expect(extension.asked.slice(before)).toMatchObject([{ request: { kind: 'unlock' } }])
  })
})
