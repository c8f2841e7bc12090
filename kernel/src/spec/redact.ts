/** Removes secrets from values: by type and shape first, then by name. */
import { HIDDEN, LARGE, MAX_CHARACTERS, redactText } from './redact-text.js'
import { hasShape } from './shape.js'

const SECRET_NAME = /token|refresh|secret|passw|private|share|seed|mnemonic|otp|authorization|proof|cookie/i

/** A `code` beside a message is an error code, unless it has the digits of a one-time code. */
function isErrorCode(owner: unknown, code: unknown): boolean {
  return hasShape<Error>(owner, { message: 'string' }) && !/^\d{6}$/.test(String(code))
}

/**
 * Returns a plain copy that is safe to show. Replaces unreadable values (cycles, throwing getters) and large ones by a
 * note.
 */
export function redact(value: unknown): unknown {
  try {
    const json = JSON.stringify(value, function (this: unknown, key, item: unknown) {
      if (SECRET_NAME.test(key) || (key === 'code' && !isErrorCode(this, item))) return HIDDEN
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
