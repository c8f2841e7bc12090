/**
 * The encryption between this page and the wallet: NaCl's box (x25519, XSalsa20-Poly1305), a fresh nonce of 24 bytes for
 * each message, everything in base58. https://docs.phantom.com/phantom-deeplinks/encryption
 */
import { DEEP_LINK_NONCE_BYTES } from '@keybay/kernel/spec'
import bs58 from 'bs58'
import nacl from 'tweetnacl'

export const KEY_BYTES = 32
export const SIGNATURE_BYTES = 64
const STATE_BYTES = 16

export function encode(bytes: Uint8Array): string {
  return bs58.encode(bytes)
}
/** @param length in bytes; any by default */
export function decode(text: unknown, length?: number): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined
  const bytes = bs58.decodeUnsafe(text)
  return bytes && (length === undefined || bytes.length === length) ? bytes : undefined
}

/** A name for one request that nobody can guess: 128 bits. */
export function newState(): string {
  return encode(nacl.randomBytes(STATE_BYTES))
}
/** Takes equally long wherever the two differ. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => new TextEncoder().encode(text))
  return a !== undefined && b !== undefined && nacl.verify(a, b)
}

export interface Pair {
  readonly publicKey: Uint8Array
  readonly secretKey: Uint8Array
}
/** One for each connect. */
export function newPair(): Pair {
  return nacl.box.keyPair()
}

export function sharedKey(theirPublicKey: Uint8Array, ourSecretKey: Uint8Array): Uint8Array {
  return nacl.box.before(theirPublicKey, ourSecretKey)
}

export interface Sealed {
  readonly nonce: string
  readonly payload: string
}

export function seal(content: object, key: Uint8Array): Sealed {
  const nonce = nacl.randomBytes(DEEP_LINK_NONCE_BYTES)
  const bytes = new TextEncoder().encode(JSON.stringify(content))
  return { nonce: encode(nonce), payload: encode(nacl.box.after(bytes, nonce, key)) }
}
/** What the wallet put in; undefined when any bit of it is not the wallet's. */
export function open(data: string, nonce: string, key: Uint8Array): unknown {
  const box = decode(data)
  const number = decode(nonce, DEEP_LINK_NONCE_BYTES)
  const bytes = box && number && nacl.box.open.after(box, number, key)
  if (!bytes) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** Ed25519. */
export function isSignature(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  return nacl.sign.detached.verify(message, signature, publicKey)
}
