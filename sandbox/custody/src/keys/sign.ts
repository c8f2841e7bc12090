/** Signatures: raw payloads, Solana transactions, Ethereum transactions and typed data. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { signTyped, Transaction } from 'micro-eth-signer'
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

/** Of an ed25519 seed as DER. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

function ed25519Key(privateKey: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, privateKey]), format: 'der', type: 'pkcs8' })
}

export function ed25519PublicKey(privateKey: Uint8Array): Uint8Array {
  const { x = '' } = createPublicKey(ed25519Key(privateKey)).export({ format: 'jwk' })
  return new Uint8Array(Buffer.from(x, 'base64url'))
}

function fail(reason: string): CustodyError {
  return new CustodyError(signingFailed, { reason })
}

function hex(text: string): Buffer {
  const digits = text.replace(/^0x/, '')
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw fail('not hexadecimal')
  return Buffer.from(digits, 'hex')
}

function signEd25519(privateKey: Uint8Array, message: Uint8Array): RawSignature {
  const signature = sign(null, message, ed25519Key(privateKey)).toString('hex')
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

/** ed25519 signs the payload itself (`NOT_APPLICABLE`); secp256k1 a hash of it, or 32 bytes as they are (`NO_OP`). */
export function signPayload(curve: Curve, key: Uint8Array, { payload, encoding, hashFunction }: Payload): RawSignature {
  if (encoding === 'PAYLOAD_ENCODING_EIP712') {
    if (curve !== 'CURVE_SECP256K1') throw fail('typed data needs a secp256k1 key')
    return signTypedData(key, payload)
  }
  const bytes = encoding === 'PAYLOAD_ENCODING_HEXADECIMAL' ? hex(payload) : Buffer.from(payload)
  if (curve === 'CURVE_ED25519') {
    if (hashFunction !== 'HASH_FUNCTION_NOT_APPLICABLE') throw fail('ed25519 takes HASH_FUNCTION_NOT_APPLICABLE')
    return signEd25519(key, bytes)
  }
  if (hashFunction === 'HASH_FUNCTION_SHA256') return signSecp256k1(key, createHash('sha256').update(bytes).digest())
  if (hashFunction === 'HASH_FUNCTION_KECCAK256') return signSecp256k1(key, keccak_256(bytes))
  if (hashFunction !== 'HASH_FUNCTION_NO_OP' || bytes.length !== 32) throw fail('NO_OP takes exactly 32 bytes')
  return signSecp256k1(key, bytes)
}

/** @param text RLP, hex @returns the same, hex without 0x */
export function signEthereum(key: Uint8Array, text: string): string {
  try {
    return Transaction.fromHex(hex(text).toString('hex')).signBy(key).toHex().replace(/^0x/, '')
  } catch {
    throw fail('not an unsigned Ethereum transaction')
  }
}

interface Cursor {
  readonly bytes: Uint8Array
  at: number
}
/** Solana's compact-u16. */
function readLength(cursor: Cursor): number {
  let value = 0
  for (let shift = 0; shift < 21; shift += 7) {
    const byte = cursor.bytes[cursor.at++]
    if (byte === undefined) break
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
  throw fail('not a Solana transaction')
}

interface SolanaTransaction {
  /** What is signed. */
  readonly message: Uint8Array
  /** Where each signer's 64 bytes begin, by address (hex of the public key). */
  readonly slots: ReadonlyMap<string, number>
  readonly bytes: Uint8Array
}

/** Signatures ‖ message, legacy or v0. @throws CustodyError */
function readSolana(text: string): SolanaTransaction {
  const bytes = new Uint8Array(hex(text))
  const cursor = { bytes, at: 0 }
  const count = readLength(cursor)
  const firstSlot = cursor.at
  const message = bytes.subarray(firstSlot + count * 64)
  const inside = { bytes: message, at: (message[0] ?? 0) >= 0x80 ? 1 : 0 }
  const signers = message[inside.at] ?? 0
  inside.at += 3
  const keys = readLength(inside)
  if (signers === 0 || signers !== count || keys < signers || message.length < inside.at + keys * 32)
    throw fail('not a Solana transaction')
  const slots = new Map(
    Array.from({ length: signers }, (_, index) => {
      const key = message.subarray(inside.at + index * 32, inside.at + index * 32 + 32)
      return [Buffer.from(key).toString('hex'), firstSlot + index * 64]
    }),
  )
  return { message, slots, bytes }
}

/** Puts the signature where it belongs; others stay as they are. @returns hex */
export function signSolana(key: Uint8Array, publicKey: string, text: string): string {
  const { message, slots, bytes } = readSolana(text)
  const slot = slots.get(publicKey)
  if (slot === undefined) throw fail('the account is not a signer of this transaction')
  bytes.set(sign(null, message, ed25519Key(key)), slot)
  return Buffer.from(bytes).toString('hex')
}
