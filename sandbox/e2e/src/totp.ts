/** An authenticator app: RFC 6238 with SHA-1, six digits, steps of 30 s. */
import { createHmac } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map(letter => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

/** @param secret base32 @param time ms since epoch */
export const totp = (secret: string, time: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time / STEP_MS)))
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const value = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(value % 1_000_000).padStart(6, '0')
}
