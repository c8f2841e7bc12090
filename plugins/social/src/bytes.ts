/** Hashes as base64url text. */
function toBase64url(bytes: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(bytes), byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** SHA-256 */
export async function hash(text: string): Promise<string> {
  return toBase64url(await crypto.subtle.digest('SHA-256', utf8(text)))
}

/** HMAC-SHA-256 */
export async function mac(key: CryptoKey, text: string): Promise<string> {
  return toBase64url(await crypto.subtle.sign('HMAC', key, utf8(text)))
}
