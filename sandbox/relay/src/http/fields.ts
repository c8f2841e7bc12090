/** Fields shared by several routes. */
import { THRESHOLD_SIGNATURE_SCHEMES } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { publicJwk } from '../crypto/jwk.js'

export const uuid = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/))
export const time = v.pipe(v.number(), v.description('ms since epoch'))
/** Parses bytes from their shortest base64url form. */
export function bytes(most: number) {
  return v.pipe(
    v.string(),
    v.maxLength(Math.ceil((most * 4) / 3)),
    v.regex(/^[\w-]*$/),
    v.check(text => Buffer.from(text, 'base64url').toString('base64url') === text, 'Not canonical base64url'),
    v.transform(text => toBytes(text)),
  )
}

export function exactBytes(length: number) {
  return v.pipe(
    bytes(length),
    v.check(value => value.length === length, `Not ${length} bytes`),
  )
}
export const party = v.picklist(['C', 'B1', 'B2', 'R1', 'R2'])

export function messages(most: number) {
  return v.pipe(v.array(bytes(4096)), v.maxLength(most))
}
export const subShares = v.pipe(v.array(v.strictObject({ from: party, to: party, box: bytes(1024) })), v.maxLength(25))
export const scheme = v.picklist(THRESHOLD_SIGNATURE_SCHEMES)
export const deviceKey = publicJwk
/** Bytes in responses. */
export const base64url = v.pipe(v.string(), v.description('bytes, base64url'))
export const sealedAnswer = v.array(v.object({ from: party, to: party, box: base64url }))

export function toText(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64url')
}

export function toBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}
