/** Transactions and accounts travel as base64; the first have at most 1232 bytes, the others are read in small ones. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}

/** @throws DOMException for what is no base64 */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}
