/**
 * Encryption between this page and the wallet: NaCl's box (x25519, XSalsa20-Poly1305) with a new nonce of 24 bytes for each
 * message, all in base58. https://docs.phantom.com/phantom-deeplinks/encryption
 */
import { DEEP_LINK_NONCE_BYTES, utf8 } from '@keybay/kernel/spec'
import bs58 from 'bs58'
import nacl from 'tweetnacl'

export const KEY_BYTES = 32
export const SIGNATURE_BYTES = 64
const STATE_BYTES = 16

export function encode(bytes: Uint8Array): string {
  return bs58.encode(bytes)
}
/** Returns undefined for text that is not base58. @param length in bytes; any by default */
export function decode(text: unknown, length?: number): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined
  const bytes = bs58.decodeUnsafe(text)
  return bytes && (length === undefined || bytes.length === length) ? bytes : undefined
}
/** Creates an unguessable name for a request: 128 bits. */
export function createState(): string {
  return encode(nacl.randomBytes(STATE_BYTES))
}
/** Compares in a time that does not depend on where the texts differ. */
export function isSame(a: string, b: string): boolean {
  return nacl.verify(utf8(a), utf8(b))
}

export interface Pair {
  readonly publicKey: Uint8Array
  readonly secretKey: Uint8Array
}

export function createPair(): Pair {
  return nacl.box.keyPair()
}

export function sharedKey(publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array {
  return nacl.box.before(publicKey, secretKey)
}

export interface Sealed {
  readonly nonce: string
  readonly payload: string
}

export function seal(content: object, key: Uint8Array): Sealed {
  const nonce = nacl.randomBytes(DEEP_LINK_NONCE_BYTES)
  const payload = nacl.box.after(utf8(JSON.stringify(content)), nonce, key)
  return { nonce: encode(nonce), payload: encode(payload) }
}
/** Decrypts JSON. Returns undefined if any bit of it is not the wallet's. */
export function open(data: string, nonce: string, key: Uint8Array): unknown {
  const box = decode(data)
  const nonceBytes = decode(nonce, DEEP_LINK_NONCE_BYTES)
  const bytes = box && nonceBytes && nacl.box.open.after(box, nonceBytes, key)
  if (!bytes) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

export function isSignature(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  return nacl.sign.detached.verify(message, signature, publicKey)
}
