/** Keys and signatures of a user who signs continuously. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export function b64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url')
}

function part(value: object): string {
  return b64(Buffer.from(JSON.stringify(value)))
}

export function newKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

export function toJwk(key: KeyObject) {
  const { kty, crv, x, y } = key.export({ format: 'jwk' })
  return { kty, crv, x, y }
}

export function jws(key: KeyObject, header: object, claims: object): string {
  const signed = `${part({ alg: 'ES256', ...header })}.${part(claims)}`
  return `${signed}.${b64(sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }))}`
}
