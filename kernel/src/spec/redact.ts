/** Removes secrets from text and values: first by type and shape, then by name. */
import { hasShape } from './shape.js'

const SECRET_NAME = /token|secret|passw|private|share|seed|mnemonic|otp|authorization|proof|cookie/i
/**
 * JWTs and other JSON in base64; 64-byte keys in base58, 32- and 64-byte keys in hex and base64; `code=` and
 * `token=` in URLs; seed phrases. A 32-byte key in base58 looks like an address, so it stays. No alternative
 * backtracks over more than one key.
 */
const SECRET_SHAPE = /\beyJ[\w.-]+|\w{64,}|[\w+/]{43,86}==?|(?:code|token)=[^&\s]+|(?:[a-z]{3,8}\b\s*){12,}/gi
const HIDDEN = '[redacted]'
const LARGE = '[large]'
const MAX_CHARACTERS = 20_000

/** Replaces secrets before truncating the text, because part of a key would no longer match. */
export function redactText(text: string): string {
  return text.length > MAX_CHARACTERS ? LARGE : text.replace(SECRET_SHAPE, HIDDEN).slice(0, 2000)
}

/**
 * Returns a plain copy that is safe to show. Replaces unreadable values (cycles, throwing getters) and large ones by a
 * note.
 */
export function redact(value: unknown): unknown {
  try {
    const json = JSON.stringify(value, function (this: unknown, key, item: unknown) {
      // A `code` beside a message is an error code; any other may be a one-time code.
      if (SECRET_NAME.test(key) || (key === 'code' && !hasShape<Error>(this, { message: 'string' }))) return HIDDEN
      const raw: unknown = Reflect.get(Object(this), key) // Must run before toJSON, because a Buffer's toJSON lists its bytes.
      if (ArrayBuffer.isView(raw)) return `[${raw.byteLength} bytes]`
      if (typeof item === 'string') return redactText(item)
      if (typeof item === 'bigint') return String(item)
      return raw instanceof Error ? { ...raw, name: raw.name, message: raw.message, cause: raw.cause } : item
    })
    return json && (json.length > MAX_CHARACTERS ? LARGE : JSON.parse(json))
  } catch {
    return '[unreadable]'
  }
}
