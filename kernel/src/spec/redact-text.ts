/** Removes secrets from text by their shape. */

/**
 * JWTs and other JSON in base64; refresh, API and other tokens in base64url that have `-` or `_`; 64-byte keys in base58,
 * 32- and 64-byte keys in hex and base64; the `code=` and `token=` of addresses; seed phrases; a text that is a one-time
 * code. A 32-byte key in base58 looks like an address, and stays. No alternative backtracks over more than one key.
 */
const SECRET_SHAPE =
  /(?=eyJ|\w{64}|\w*[-_])[\w.-]{43,}|[\w+/]{43,86}==?|(?:code|token)=[^&\s]+|(?:[a-z]{3,8}\b\s*){12,}|^\d{6}$/gi
export const HIDDEN = '[redacted]'
export const LARGE = '[large]'
export const MAX_CHARACTERS = 20_000

/** Replaces secrets, then cuts the text: half a key is still half a key. */
export function redactText(text: string): string {
  return text.length > MAX_CHARACTERS ? LARGE : text.replace(SECRET_SHAPE, HIDDEN).slice(0, 2000)
}
