/** Key of the sandbox's Apple developer account: signs the client secret, and lets Apple verify it. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'

export const APPLE_TEAM = 'KEYBAYTEAM'
export const APPLE_KEY_ID = 'KEYBAYKEY1'

/** Returns a P-256 key in PEM, like the `.p8` file from Apple. The key opens this sandbox only, so it may be public. */
export function applePrivateKey(): string {
  const secret = createHash('sha256').update('keybay sandbox apple').digest()
  const point = p256.getPublicKey(secret, false)
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', d: text(secret), x: text(point.slice(1, 33)), y: text(point.slice(33)) }
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()
}

export function applePublicKey(): KeyObject {
  return createPublicKey(applePrivateKey())
}
