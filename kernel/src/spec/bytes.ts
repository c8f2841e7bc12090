/** Converts bytes to text and back. Base58 is not included: modules that need it import bs58. */
/** `Uint8Array<ArrayBuffer>` where the compiler knows it as generic (TypeScript 5.7 and later). */
type Bytes = ReturnType<typeof Uint8Array.from>

function toBinary(bytes: Uint8Array): string {
  return Array.from(bytes, byte => String.fromCharCode(byte)).join('')
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(toBinary(bytes))
}

/** @throws DOMException if the text is not base64 */
export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}

/** Returns base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @throws TypeError if the text is not canonical base64url without padding */
export function fromBase64Url(text: string): Bytes {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) throw new TypeError('not base64url')
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  if (toBase64Url(bytes) !== text) throw new TypeError('not canonical base64url')
  return bytes
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** @throws TypeError if the text is not pairs of hexadecimal digits */
export function fromHex(text: string): Bytes {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new TypeError('not hexadecimal')
  return Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** Compares in a time that depends only on the lengths. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0
}

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
