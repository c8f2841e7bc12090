/** Bytes as text. */
const toBase64url = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** base64url SHA-256 */
export const hash = async (text: string): Promise<string> =>
  toBase64url(await crypto.subtle.digest('SHA-256', utf8(text)))

/** base64url HMAC-SHA-256 */
export const mac = async (key: CryptoKey, text: string): Promise<string> =>
  toBase64url(await crypto.subtle.sign('HMAC', key, utf8(text)))
