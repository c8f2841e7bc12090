/**
 * Has a wallet prove its address with the first method that it supports: `solana:signIn`, a signed message, or a
 * transaction that is never sent. Checks the wallet's response; the API checks it again.
 */
import type { Connection, WalletConnector } from '@keybay/kernel'
import {
  equalBytes,
  KeybayError,
  signMessageMissing,
  throwMessageError,
  toBase64,
  toKeybayError,
  utf8,
} from '@keybay/kernel/spec'
import bs58 from 'bs58'
import { walletProofInvalid } from '../errors.js'
import { isObject } from '../parse/check.js'
import { getSignedMessage, neverSentMessage, unsigned } from './never-sent.js'
import { type SiwsFields, siwsHead, siwsText } from './siws.js'

const ADDRESS_BYTES = 32

export type WalletAccount = Connection['accounts'][number]
/** Omits the nonce's ID, which only the requester knows. */
export type WalletProof = { readonly address: string; readonly message: string } & (
  | { readonly type: 'message'; readonly signature: string }
  | { readonly type: 'transaction'; readonly transaction: string }
)
export interface SigningParts {
  readonly wallet: WalletConnector['wallet']
  readonly fields: SiwsFields
  /** Connects, with the user's consent if needed. */
  connect(): Promise<WalletAccount>
  /** Account, if known: no connect is needed then. */
  readonly account: WalletAccount | undefined
  /** Returns true if the environment accepts a transaction from a wallet that signs no messages. */
  acceptsTransaction(): Promise<boolean>
  /** Rejects when the attempt ends. */
  guard<T>(answer: Promise<T>): Promise<T>
  /** Runs before a message is signed, because the page may be gone when the signature returns. */
  leaving?(proof: { readonly address: string; readonly message: string }): Promise<void>
}

/** Returns the bytes of a Solana address, or undefined for any other value. */
function decodeAddress(address: unknown): Uint8Array | undefined {
  const bytes = typeof address === 'string' ? bs58.decodeUnsafe(address) : undefined
  return bytes?.length === ADDRESS_BYTES ? bytes : undefined
}

function invalid(detail: string) {
  return new KeybayError(walletProofInvalid, { detail })
}
/** Copies the bytes, so that the checked bytes are the ones that are sent. */
function readBytes(value: unknown, what: string): Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array) || value.length > 4096) throw invalid(what)
  return Uint8Array.from(value)
}

function getSignature(value: unknown): Uint8Array {
  const signature = readBytes(value, 'signature')
  if (signature.length !== 64) throw invalid('signature')
  return signature
}

function addressOf(account: unknown): string {
  const address = isObject(account) ? account.address : undefined
  if (typeof address !== 'string' || !decodeAddress(address)) throw invalid('address')
  return address
}
/**
 * Returns true for a hardware account, which wallets report in different words; false if the user rejected the request.
 */
function cannotSign(thrown: unknown): boolean {
  const { code, message } = toKeybayError(thrown)
  const number = isObject(thrown) ? thrown.code : undefined
  return (
    code !== 'user_rejected' &&
    (number === 4200 ||
      number === -32601 ||
      /not (yet )?(supported|implemented)|unsupported|hardware|ledger/i.test(message))
  )
}

function messageProof(address: string, message: Uint8Array, signature: unknown): WalletProof {
  return { type: 'message', address, message: toBase64(message), signature: toBase64(getSignature(signature)) }
}

async function signIn({ wallet, fields, guard }: SigningParts): Promise<WalletProof> {
  const outputs = await guard(wallet.features['solana:signIn']?.signIn({ ...fields }) ?? Promise.resolve([]))
  const { account, signedMessage, signature } = outputs[0] ?? {}
  const address = addressOf(account)
  const message = readBytes(signedMessage, 'message')
  // The wallet writes the text and may add to it; the text must contain this page, this address and this nonce.
  const text = `${new TextDecoder().decode(message)}\n`
  if (!text.startsWith(`${siwsHead(fields.domain, address)}\n`) || !text.includes(`\nNonce: ${fields.nonce}\n`))
    throw invalid('message')
  return messageProof(address, message, signature)
}

async function signMessage(parts: SigningParts, account: WalletAccount): Promise<WalletProof> {
  const { wallet, fields, guard } = parts
  const address = addressOf(account)
  const message = utf8(siwsText(fields, address))
  const feature = wallet.features['solana:signMessage']
  if (!feature) throw new KeybayError(signMessageMissing)
  await parts.leaving?.({ address, message: toBase64(message) })
  const [output] = await guard(feature.signMessage({ account, message: new Uint8Array(message) })).catch(
    throwMessageError,
  )
  if (!equalBytes(readBytes(output?.signedMessage, 'message'), message)) throw invalid('message')
  return messageProof(address, message, output?.signature)
}

async function signTransaction(parts: SigningParts, account: WalletAccount): Promise<WalletProof> {
  const { wallet, fields, guard } = parts
  const address = addressOf(account)
  const text = utf8(siwsText(fields, address))
  const user = decodeAddress(address) ?? new Uint8Array()
  const message = await neverSentMessage(user, text, fields.domain, fields.nonce)
  const feature = wallet.features['solana:signTransaction']
  if (!feature) throw new KeybayError(signMessageMissing)
  const chain = account.chains.find(id => id.startsWith('solana:'))
  const [output] = await guard(
    feature.signTransaction({ account, transaction: unsigned(message), ...(chain && { chain }) }),
  )
  const transaction = readBytes(output?.signedTransaction, 'transaction')
  const signed = getSignedMessage(transaction)
  // A wallet may add instructions, which makes the signed transaction sendable.
  if (!signed || !equalBytes(signed, message)) throw invalid('transaction')
  return { type: 'transaction', address, message: toBase64(text), transaction: toBase64(transaction) }
}

/** @throws KeybayError `user_rejected`, `wallet_proof_invalid`, `sign_message_missing`, or the wallet's error */
export async function proveAddress(parts: SigningParts): Promise<WalletProof> {
  const { features } = parts.wallet
  /** Falls back to a transaction if the wallet can't sign; rethrows other errors. */
  const limited = async (thrown: unknown) => {
    const canFallBack = features['solana:signTransaction'] && cannotSign(thrown) && (await parts.acceptsTransaction())
    if (!canFallBack) throw thrown
  }
  let messages =
    'solana:signMessage' in features || !('solana:signTransaction' in features && (await parts.acceptsTransaction()))
  if (!parts.account && features['solana:signIn'])
    try {
      return await signIn(parts)
    } catch (thrown) {
      await limited(thrown)
      messages = false // Retrying would prompt the user on the device again, and fail again.
    }
  const account = parts.account ?? (await parts.connect())
  if (messages)
    try {
      return await signMessage(parts, account)
    } catch (thrown) {
      await limited(thrown)
    }
  return signTransaction(parts, account)
}
