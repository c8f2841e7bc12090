/** Bytes as text and back. */
const binary = (bytes: Uint8Array): string => Array.from(bytes, byte => String.fromCharCode(byte)).join('')

export const toBase64 = (bytes: Uint8Array): string => btoa(binary(bytes))
export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0))
export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
export const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The 32 bytes of a Solana address; undefined when it is none. */
export const fromAddress = (address: unknown): Uint8Array<ArrayBuffer> | undefined => {
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
