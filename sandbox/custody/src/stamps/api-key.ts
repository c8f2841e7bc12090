/** `X-Stamp`: base64url(JSON { publicKey, scheme, signature }), ECDSA on P-256 over the exact bytes of the body. */
import { createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto'
import * as v from 'valibot'
import { CustodyError, stampInvalid } from '../http/errors.js'

const stampSchema = v.strictObject({
  publicKey: v.pipe(v.string(), v.regex(/^0[23][0-9a-f]{64}$/i), v.toLowerCase()),
  scheme: v.literal('SIGNATURE_SCHEME_TK_API_P256'),
  signature: v.pipe(v.string(), v.maxLength(160), v.regex(/^([0-9a-f]{2})+$/i)),
})
export type ApiKeyStamp = v.InferOutput<typeof stampSchema>

/** @throws CustodyError `SIGNATURE_INVALID` */
export function readApiKeyStamp(header: string): ApiKeyStamp {
  try {
    if (header.length > 1024 || !/^[\w-]+$/.test(header)) throw new Error('Not base64url')
    return v.parse(stampSchema, JSON.parse(Buffer.from(header, 'base64url').toString()))
  } catch {
    throw new CustodyError(stampInvalid, { reason: 'not a stamp' })
  }
}

/** Returns true for a compressed P-256 point in hex. */
export function isP256(publicKey: string): boolean {
  try {
    return /^0[23][0-9a-f]{64}$/.test(publicKey) && uncompressed(publicKey).length === 65
  } catch {
    return false
  }
}

function uncompressed(publicKey: string): Buffer {
  return Buffer.from(ECDH.convertKey(publicKey, 'prime256v1', 'hex', 'hex', 'uncompressed').toString(), 'hex')
}

const MAX_KEYS = 2_000
/** Keys of right stamps: reading a key takes OpenSSL longer than verifying with it, and a session key signs often. */
const keys = new Map<string, KeyObject>()

function readKey(publicKey: string): KeyObject {
  const point = uncompressed(publicKey)
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}

/** @throws CustodyError `SIGNATURE_INVALID` */
export function checkApiKeyStamp({ publicKey, signature }: ApiKeyStamp, body: string): void {
  try {
    const known = keys.get(publicKey)
    const key = known ?? readKey(publicKey)
    if (verify('sha256', Buffer.from(body), { key, dsaEncoding: 'der' }, Buffer.from(signature, 'hex'))) {
      if (known) return
      if (keys.size >= MAX_KEYS) keys.clear()
      keys.set(publicKey, key)
      return
    }
  } catch {
    // Replace OpenSSL's error for an invalid point.
  }
  throw new CustodyError(stampInvalid)
}
