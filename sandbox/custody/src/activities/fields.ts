/** Fields shared by several activities. */
import * as v from 'valibot'
import { isP256 } from '../stamps/api-key.js'

export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
export const name = v.pipe(v.string(), v.minLength(1), v.maxLength(256))
export const email = v.pipe(v.string(), v.maxLength(254), v.email(), v.toLowerCase())
/** Public key that a bundle is sealed to: 65 bytes. */
export const targetPublicKey = v.pipe(v.string(), v.regex(/^04[0-9a-f]{128}$/i), v.toLowerCase())
/** Public key of an API key: 33 bytes on P-256. */
const publicKey = v.pipe(v.string(), v.toLowerCase(), v.check(isP256, 'Not a compressed P-256 key'))
/** Seconds in the protocol's format; at most 30 days. */
export const seconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,7}$/),
  v.transform(Number),
  v.minValue(1),
  v.maxValue(30 * 86_400),
)
export const apiKeyParams = v.strictObject({
  apiKeyName: name,
  publicKey,
  curveType: v.literal('API_KEY_CURVE_P256'),
  expirationSeconds: v.optional(seconds),
})
