/** Removes secrets from values: by type and shape first, then by name. */
import { HIDDEN, LARGE, MAX_CHARACTERS, redactText } from './redact-text.js'

const SECRET_NAME = /secret|token|passw|private|share|seed|mnemonic|otp|authorization|proof|cookie/i

/**
 * Returns a plain copy that is safe to show. Replaces unreadable values (cycles, throwing getters) and large ones by a
 * note.
 */
export function redact(value: unknown): unknown {
  try {
    const json = JSON.stringify(value, function (this: { readonly [name: string]: unknown }, key, item: unknown) {
      // A `code` beside a message is an error code; any other may be a one-time code.
      if (SECRET_NAME.test(key) || (key === 'code' && !this.message)) return HIDDEN
      const raw = this[key] // Must run before toJSON, because a Buffer's toJSON lists its bytes.
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
