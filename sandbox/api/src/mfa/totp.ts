/** Time-based one-time passwords: RFC 6238 over RFC 4226, SHA-1, six digits, steps of 30 s. */
import { createHmac, randomBytes } from 'node:crypto'
import { sameText } from '../security/hashes.js'

const STEP = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Implements RFC 4226 §5.3. `step` is the counter. */
export function hotp(secret: Uint8Array, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0x0f
  const value = hash.readUInt32BE(offset) & 0x7fffffff
  return String(value % 10 ** digits).padStart(digits, '0')
}

function stepAt(ms: number): number {
  return Math.floor(ms / STEP)
}

/** Returns the matching time step, at most one away (RFC 6238 §5.2) and later than the last accepted one. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { readonly now: number; readonly lastStep: number | null },
): number | undefined {
  const current = stepAt(now)
  // Always compute all three, so that the duration reveals nothing.
  const matches = [current - 1, current, current + 1].filter(step => sameText(hotp(secret, step), code))
  return matches.find(step => step > (lastStep ?? Number.NEGATIVE_INFINITY))
}

/** Encodes bytes by RFC 4648 §6, without padding. */
export function base32(bytes: Uint8Array): string {
  let [bits, value, text] = [0, 0, '']
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31]
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text
}

/** Returns 160 random bits, as RFC 4226 §4 recommends. */
export function newTotpSecret(): Buffer {
  return randomBytes(20)
}

/** Returns the URI to show as a QR code. */
export function otpauthUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
  return `otpauth://totp/${label}?${query}`
}
