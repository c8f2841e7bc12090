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
import { afterEach, expect, it } from 'vitest'
import { browserExtension } from '../src/index.js'
import { clearPage, createExtension, inject } from './support.js'

const hosts: { dispose(): void }[] = []
afterEach(() => {
  for (const host of hosts.splice(0)) host.dispose()
  clearPage()
})
const ID = 'browser-extension:phantom'

async function connect(patch: object = {}) {
  const extension = createExtension()
  inject('phantom', { solana: Object.create(extension.solana, Object.getOwnPropertyDescriptors(patch)) })
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [browserExtension()] })
  hosts.push(keybay)
  keybay.connectors.list()
  const connection = await keybay.connect(ID)
  if (!('accounts' in connection)) throw new Error('Not a wallet')
  const [account] = connection.accounts
  const wallet = keybay.connectors.get(ID)?.wallet
  if (!account || !wallet) throw new Error('The wallet gave no account')
  const { features } = wallet
  const signMessage = async (message = Uint8Array.of(1)) =>
    (await features['solana:signMessage']?.signMessage({ account, message })) ?? []
  const signTransactions = async (...transactions: readonly Uint8Array[]) =>
    (await features['solana:signTransaction']?.signTransaction(
      ...transactions.map(transaction => ({ account, transaction })),
    )) ?? []
  return { keybay, extension, account, features, signMessage, signTransactions, payer: new PublicKey(account.address) }
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

function expectSigned(unsigned: Uint8Array, signed: Uint8Array | undefined, payer: PublicKey) {
  const before = VersionedTransaction.deserialize(unsigned)
  const after = VersionedTransaction.deserialize(signed ?? new Uint8Array())
  expect(after.message.serialize()).toEqual(before.message.serialize())
  expect(isSigned(after.message.serialize(), after.signatures[0], payer)).toBe(true)
}

function isSigned(message: Uint8Array, signature: Uint8Array | undefined, by: PublicKey) {
  return nacl.sign.detached.verify(message, signature ?? new Uint8Array(64), by.toBytes())
}

it('[S3.1] an injected wallet signs a message, and reports a refusal as MESSAGE_SIGNATURE_DENIED', async () => {
  const { signMessage, extension, payer } = await connect()
  const message = new TextEncoder().encode('Hello')
  const [output] = await signMessage(message)
  expect(output?.signedMessage).toEqual(message)
  expect(isSigned(message, output?.signature, payer)).toBe(true)
  extension.user = 'refuses'
  await expect(signMessage(message)).rejects.toMatchObject({ code: 'user_rejected', walletCode: 3, connectorId: ID })
})
it('an injected wallet signs legacy and versioned transactions, several in one request', async () => {
  const { signTransactions, extension, payer } = await connect()
  for (const transaction of [legacy(payer), versioned(payer)]) {
    const [output] = await signTransactions(transaction)
    expectSigned(transaction, output?.signedTransaction, payer)
  }
  const before = extension.asked.length
  const both = [legacy(payer), versioned(payer)]
  const outputs = await signTransactions(...both)
  expect(extension.asked.length).toBe(before + 1)
  for (const [index, transaction] of both.entries()) expectSigned(transaction, outputs[index]?.signedTransaction, payer)
})
it('keeps the signatures of other accounts in a transaction that an injected wallet signs', async () => {
  const { signTransactions, payer } = await connect()
  const other = Keypair.generate()
  const [output] = await signTransactions(legacy(payer, other))
  const { signatures, message } = VersionedTransaction.deserialize(output?.signedTransaction ?? new Uint8Array())
  expect(signatures).toHaveLength(2)
  const index = message.staticAccountKeys.findIndex(key => key.equals(other.publicKey))
  expect(isSigned(message.serialize(), signatures[index], other.publicKey)).toBe(true)
})
it('accepts responses of older wallets: a signature as bytes, and a legacy Transaction', async () => {
  const key = Keypair.generate()
  const { account, signMessage, signTransactions } = await connect({
    publicKey: key.publicKey,
    connect: async () => undefined,
    signMessage: async (message: Uint8Array) => nacl.sign.detached(message, key.secretKey),
    signAllTransactions: undefined,
    signTransaction: async (transaction: VersionedTransaction) => {
      const signed = Transaction.from(transaction.serialize())
      signed.partialSign(key)
      return signed
    },
  })
  expect(account.address).toBe(key.publicKey.toBase58())
  const [output] = await signMessage(Uint8Array.of(1, 2, 3))
  expect(output?.signature).toHaveLength(64)
  const transactions = [legacy(key.publicKey), legacy(key.publicKey)]
  const signed = await signTransactions(...transactions)
  for (const [index, transaction] of transactions.entries())
    expectSigned(transaction, signed[index]?.signedTransaction, key.publicKey)
})
it('lists only the features of the injected wallet, and names a missing feature in the error', async () => {
  const { account, features, payer } = await connect({ signAndSendTransaction: undefined })
  expect(account.features).toEqual(['solana:signMessage', 'solana:signTransaction'])
  const chain = 'solana:localnet'
  await expect(
    features['solana:signAndSendTransaction']?.signAndSendTransaction({ account, transaction: legacy(payer), chain }),
  ).rejects.toMatchObject({ code: 'feature_missing', message: expect.stringContaining('signAndSendTransaction') })
})
it.each([
  ['nothing', undefined],
  ['a short signature', { signature: new Uint8Array(63) }],
  ['text that is not a signature', { signature: 'no' }],
])('rejects %s as the response of an injected wallet', async (_name, answer) => {
  const { signMessage } = await connect({ signMessage: async () => answer })
  await expect(signMessage()).rejects.toMatchObject({ code: 'extension_answer_invalid' })
})
it('rejects a signature that an injected wallet made with another account', async () => {
  const other = nacl.sign.keyPair()
  const { signMessage } = await connect({
    signMessage: async (message: Uint8Array) => ({
      signature: nacl.sign.detached(message, other.secretKey),
      publicKey: new PublicKey(other.publicKey),
    }),
  })
  await expect(signMessage()).rejects.toMatchObject({ code: 'extension_answer_invalid' })
})
it('rejects a transaction that another account signed, and one that nothing signed', async () => {
  const other = Keypair.generate()
  const { signTransactions, payer } = await connect({
    async signTransaction(transaction: VersionedTransaction) {
      if (!transaction.message.staticAccountKeys[0]?.equals(payer)) return transaction
      const changed = VersionedTransaction.deserialize(versioned(other.publicKey))
      changed.sign([other])
      return changed
    },
  })
  const invalid = { code: 'extension_answer_invalid' }
  await expect(signTransactions(versioned(payer))).rejects.toMatchObject(invalid)
  await expect(signTransactions(versioned(other.publicKey))).rejects.toMatchObject(invalid)
})
it.each([
  ['too short', () => Uint8Array.of(1, 2, 3)],
  ['no bytes', () => 'text'],
])('rejects a transaction that an injected wallet serializes to %s', async (_name, serialize) => {
  const { signTransactions, payer } = await connect({ signTransaction: async () => ({ serialize }) })
  await expect(signTransactions(versioned(payer))).rejects.toMatchObject({ code: 'extension_answer_invalid' })
})
it.each([
  ['Extension context invalidated.', undefined, 'extension_gone'],
  ['Could not establish connection. Receiving end does not exist.', undefined, 'extension_gone'],
  ['The provider is disconnected', 4900, 'extension_gone'],
  ['Request already pending', -32002, 'extension_busy'],
  ['The wallet is locked', 4100, 'wallet_locked'],
])('maps a wallet’s error “%s” (%s) to %s', async (message, code, expected) => {
  const { signMessage } = await connect({
    async signMessage() {
      throw Object.assign(new Error(message), { code })
    },
  })
  await expect(signMessage()).rejects.toMatchObject({ code: expected, connectorId: ID })
})
it('follows a changed account, and rejects requests for the previous account', async () => {
  const { keybay, account, extension, signMessage } = await connect()
  await extension.change({ active: 1 })
  const now = keybay.connections.get(ID)?.accounts[0]
  expect(now?.address).not.toBe(account.address)
  await expect(signMessage()).rejects.toMatchObject({ code: 'account_not_found' })
})
it('closes the connection when the wallet locks, and asks to unlock on the next connect', async () => {
  const { keybay, extension } = await connect()
  await extension.change({ locked: true })
  await expect.poll(() => keybay.connections.get(ID)).toBeUndefined()
  const before = extension.asked.length
  await keybay.connect(ID)
  expect(extension.asked.slice(before)).toMatchObject([{ request: { kind: 'unlock' } }])
})
