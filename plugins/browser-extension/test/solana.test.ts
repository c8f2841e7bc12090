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
/** Expects an unchanged message with a valid signature of the account. */
function expectSigned(given: Uint8Array, signed: Uint8Array | undefined, payer: PublicKey) {
  const before = VersionedTransaction.deserialize(given)
  const after = VersionedTransaction.deserialize(signed ?? new Uint8Array())
  expect(after.message.serialize()).toEqual(before.message.serialize())
  const [signature] = after.signatures
  expect(nacl.sign.detached.verify(after.message.serialize(), signature ?? new Uint8Array(64), payer.toBytes())).toBe(
    true,
  )
}

describe('an injected wallet', () => {
  it('an injected wallet signs a message, and reports a refusal as user_rejected', async () => {
    const { account, features, extension } = await connect()
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
  it('an injected wallet signs legacy and versioned transactions, several in one request', async () => {
    const { account, features, extension, payer } = await connect()
    const sign = features['solana:signTransaction']
    for (const transaction of [legacy(payer), versioned(payer)]) {
      const [output] = (await sign?.signTransaction({ account, transaction })) ?? []
      expectSigned(transaction, output?.signedTransaction, payer)
    }
    const before = extension.asked.length
    const both = [legacy(payer), versioned(payer)]
    const outputs = (await sign?.signTransaction(...both.map(transaction => ({ account, transaction })))) ?? []
    expect(extension.asked.length).toBe(before + 1)
    for (const [index, transaction] of both.entries())
      expectSigned(transaction, outputs[index]?.signedTransaction, payer)
  })
  it('keeps the signatures of other accounts in a transaction that an injected wallet signs', async () => {
    const { account, features, payer } = await connect()
    const other = Keypair.generate()
    const transaction = legacy(payer, other)
    const [output] = (await features['solana:signTransaction']?.signTransaction({ account, transaction })) ?? []
    const { signatures, message } = VersionedTransaction.deserialize(output?.signedTransaction ?? new Uint8Array())
    expect(signatures).toHaveLength(2)
    const index = message.staticAccountKeys.findIndex(key => key.equals(other.publicKey))
    expect(
      nacl.sign.detached.verify(
        message.serialize(),
        signatures[index] ?? new Uint8Array(64),
        other.publicKey.toBytes(),
      ),
    ).toBe(true)
  })
  it('accepts responses of older wallets: a signature as bytes, and a legacy Transaction', async () => {
    const key = Keypair.generate()
    const { account, features } = await connect({
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
    const message = Uint8Array.of(1, 2, 3)
    const [output] = (await features['solana:signMessage']?.signMessage({ account, message })) ?? []
    expect(output?.signature).toHaveLength(64)
    const transactions = [legacy(key.publicKey), legacy(key.publicKey)]
    const inputs = transactions.map(transaction => ({ account, transaction }))
    const signed = (await features['solana:signTransaction']?.signTransaction(...inputs)) ?? []
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
    const { account, features } = await connect({ signMessage: async () => answer })
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
  ])('maps a wallet’s error “%s” (%s) to %s', async (message, code, expected) => {
    const { account, features } = await connect({
      async signMessage() {
        throw Object.assign(new Error(message), { code })
      },
    })
    await expect(
      features['solana:signMessage']?.signMessage({ account, message: Uint8Array.of(1) }),
    ).rejects.toMatchObject({ code: expected, connectorId: ID })
  })
  it('follows a changed account, and rejects requests for the previous account', async () => {
    const { keybay, account, extension, features } = await connect()
    await extension.change({ active: 1 })
    const now = keybay.connections.get(ID)?.accounts[0]
    expect(now?.address).not.toBe(account.address)
    await expect(
      features['solana:signMessage']?.signMessage({ account, message: Uint8Array.of(1) }),
    ).rejects.toMatchObject({ code: 'account_not_found' })
  })
  it('closes the connection when the wallet locks, and asks to unlock on the next connect', async () => {
    const { keybay, extension } = await connect()
    await extension.change({ locked: true })
    await expect.poll(() => keybay.connections.get(ID)).toBeUndefined()
    const before = extension.asked.length
    await keybay.connect(ID)
    expect(extension.asked.slice(before)).toMatchObject([{ request: { kind: 'unlock' } }])
  })
})
