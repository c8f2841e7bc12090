/** Bytes as text and back. */
function binary(bytes: Uint8Array): string {
  return Array.from(bytes, byte => String.fromCharCode(byte)).join('')
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(binary(bytes))
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}

export function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The 32 bytes of a Solana address; undefined when it is none. */
export function fromAddress(address: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof address !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return undefined
  let value = 0n
  for (const letter of address) value = value * 58n + BigInt(ALPHABET.indexOf(letter))
  const zeros = address.length - address.replace(/^1+/, '').length
  const hex = value ? value.toString(16) : ''
  const digits = hex.length % 2 ? `0${hex}` : hex
  if (zeros + digits.length / 2 !== 32) return undefined
  const bytes = new Uint8Array(32)
  for (let at = 0; at < digits.length; at += 2) bytes[zeros + at / 2] = Number.parseInt(digits.slice(at, at + 2), 16)
  return bytes
}
