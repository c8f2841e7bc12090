/** Bytes as text and back, and their hash. */
import { fromBase64, toBase64Url } from '@keybay/kernel/spec'

export { fromBase64, toBase64, toBase64Url } from '@keybay/kernel/spec'

/** @throws TypeError when it is no base64url without padding, in the one form that these bytes have */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) throw new TypeError('not base64url')
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  if (toBase64Url(bytes) !== text) throw new TypeError('not canonical base64url')
  return bytes
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
