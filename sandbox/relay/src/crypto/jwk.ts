/** P-256 public keys as JWK: validation, thumbprints (RFC 7638) and key objects cached for verification. */
import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { Cache } from '../cache.js'

const coordinate = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
export const publicJwk = v.strictObject({ kty: v.literal('EC'), crv: v.literal('P-256'), x: coordinate, y: coordinate })
export type PublicJwk = v.InferOutput<typeof publicJwk>

/** Returns base64url of SHA-256 in one call: a hash object would cost as much as the hash. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url')
}

export function getThumbprint({ crv, kty, x, y }: PublicJwk): string {
  return sha256(JSON.stringify({ crv, kty, x, y }))
}

const keyCache = new Cache<KeyObject>()

/** Returns undefined when the point is not on the curve. */
export function getKey(jwk: PublicJwk): KeyObject | undefined {
  const name = jwk.x + jwk.y
  const known = keyCache.get(name)
  if (known) return known
  try {
    const { kty, crv, x, y } = jwk
    return keyCache.set(name, createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }))
  } catch {
    return undefined
  }
}
