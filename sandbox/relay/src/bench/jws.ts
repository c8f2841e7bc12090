/** Keys and signatures of a person who signs all day long. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64url')
const part = (value: object): string => b64(Buffer.from(JSON.stringify(value)))
export const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
export const jwkOf = (key: KeyObject) => {
  const { kty, crv, x, y } = key.export({ format: 'jwk' })
  return { kty, crv, x, y }
}
export const jws = (key: KeyObject, header: object, claims: object): string => {
  const signed = `${part({ alg: 'ES256', ...header })}.${part(claims)}`
  return `${signed}.${b64(sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }))}`
}
