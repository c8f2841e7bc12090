/** The key that the sandbox's Apple developer account made: what signs the client secret, and what Apple checks it with. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'

export const APPLE_TEAM = 'KEYBAYTEAM'
export const APPLE_KEY_ID = 'KEYBAYKEY1'

/** P-256 in PEM, as the file `.p8` that Apple hands out. It opens this sandbox only, so it may be known. */
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
