/** Signatures: raw payloads, Solana transactions, Ethereum transactions and typed data. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { address, getTransactionDecoder, getTransactionEncoder, signatureBytes, type Transaction } from '@solana/kit'
import bs58 from 'bs58'
import { Transaction as EthereumTransaction, signTyped } from 'micro-eth-signer'
import { CustodyError, signingFailed } from '../http/errors.js'
import type { Curve } from './derive.js'

export const ENCODINGS = [
  'PAYLOAD_ENCODING_HEXADECIMAL',
  'PAYLOAD_ENCODING_TEXT_UTF8',
  'PAYLOAD_ENCODING_EIP712',
] as const
export const HASHES = [
  'HASH_FUNCTION_NO_OP',
  'HASH_FUNCTION_SHA256',
  'HASH_FUNCTION_KECCAK256',
  'HASH_FUNCTION_NOT_APPLICABLE',
] as const

export interface RawSignature {
  /** hex */
  readonly r: string
  readonly s: string
  readonly v: string
}
interface Payload {
  readonly payload: string
  readonly encoding: (typeof ENCODINGS)[number]
  readonly hashFunction: (typeof HASHES)[number]
}

/** DER prefix of an ed25519 seed. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function ed25519PublicKey(privateKey: Uint8Array): Uint8Array {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, privateKey]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return new Uint8Array(Buffer.from(x, 'base64url'))
}

/** A key pair as bytes. */
export interface SigningKey {
  readonly privateKey: Uint8Array
  /** hex */
  readonly publicKey: string
}

/** OpenSSL takes nine times as long to read a key from PKCS #8. */
function ed25519Key({ privateKey, publicKey }: SigningKey): KeyObject {
  const [d, x] = [Buffer.from(privateKey), Buffer.from(publicKey, 'hex')].map(bytes => bytes.toString('base64url'))
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
}

function fail(reason: string): CustodyError {
  return new CustodyError(signingFailed, { reason })
}

function hex(text: string): Buffer {
  const digits = text.replace(/^0x/, '')
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw fail('not hexadecimal')
  return Buffer.from(digits, 'hex')
}

function signEd25519(key: SigningKey, message: Uint8Array): RawSignature {
  const signature = sign(null, message, ed25519Key(key)).toString('hex')
  return { r: signature.slice(0, 64), s: signature.slice(64), v: '00' }
}

/** @param digest 32 bytes */
function signSecp256k1(privateKey: Uint8Array, digest: Uint8Array): RawSignature {
  const bytes = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' })
  const text = Buffer.from(bytes).toString('hex')
  return { v: text.slice(0, 2), r: text.slice(2, 66), s: text.slice(66) }
}

function signTypedData(privateKey: Uint8Array, text: string): RawSignature {
  try {
    const signature = hex(signTyped(JSON.parse(text), privateKey)).toString('hex')
    return { r: signature.slice(0, 64), s: signature.slice(64, 128), v: signature.endsWith('1c') ? '01' : '00' }
  } catch {
    throw fail('not typed data of EIP-712')
  }
}

/** Signs the payload itself with ed25519 (`NOT_APPLICABLE`), or a hash or 32 raw bytes (`NO_OP`) with secp256k1. */
export function signPayload(curve: Curve, key: SigningKey, { payload, encoding, hashFunction }: Payload): RawSignature {
  const { privateKey } = key
  if (encoding === 'PAYLOAD_ENCODING_EIP712') {
    if (curve !== 'CURVE_SECP256K1') throw fail('typed data needs a secp256k1 key')
    return signTypedData(privateKey, payload)
  }
  const bytes = encoding === 'PAYLOAD_ENCODING_HEXADECIMAL' ? hex(payload) : Buffer.from(payload)
  if (curve === 'CURVE_ED25519') {
    if (hashFunction !== 'HASH_FUNCTION_NOT_APPLICABLE') throw fail('ed25519 takes HASH_FUNCTION_NOT_APPLICABLE')
    return signEd25519(key, bytes)
  }
  if (hashFunction === 'HASH_FUNCTION_SHA256')
    return signSecp256k1(privateKey, createHash('sha256').update(bytes).digest())
  if (hashFunction === 'HASH_FUNCTION_KECCAK256') return signSecp256k1(privateKey, keccak_256(bytes))
  if (hashFunction !== 'HASH_FUNCTION_NO_OP' || bytes.length !== 32) throw fail('NO_OP takes exactly 32 bytes')
  return signSecp256k1(privateKey, bytes)
}

/** @param text RLP, hex @returns the same, hex without 0x */
export function signEthereum({ privateKey }: SigningKey, text: string): string {
  try {
    return EthereumTransaction.fromHex(hex(text).toString('hex')).signBy(privateKey).toHex().replace(/^0x/, '')
  } catch {
    throw fail('not an unsigned Ethereum transaction')
  }
}

function readSolana(bytes: Uint8Array): Transaction {
  try {
    return getTransactionDecoder().decode(bytes)
  } catch {
    throw fail('not a Solana transaction')
  }
}

/** Adds one signer's signature and keeps the others. @returns hex */
export function signSolana(key: SigningKey, text: string): string {
  const transaction = readSolana(hex(text))
  const signer = address(bs58.encode(Buffer.from(key.publicKey, 'hex')))
  if (!(signer in transaction.signatures)) throw fail('the account is not a signer of this transaction')
  const { messageBytes, signatures } = transaction
  const signature = signatureBytes(sign(null, Uint8Array.from(messageBytes), ed25519Key(key)))
  const signed = getTransactionEncoder().encode({ messageBytes, signatures: { ...signatures, [signer]: signature } })
  return Buffer.from(signed).toString('hex')
}
