/** Levels, redaction, and the entries that others hear. Nothing secret may pass: redaction is by type and shape, then by name. */

import { hasShape } from './shape.js'

export const LEVELS = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const
export type LogLevel = keyof typeof LEVELS
type Level = Exclude<LogLevel, 'silent'>

export interface LogEntry {
  readonly level: Level
  readonly message: string
  readonly meta?: unknown
  readonly stack?: string | undefined
}
export interface Logger {
  debug(message: string, meta?: unknown): void
  info(message: string, meta?: unknown): void
  warn(message: string, meta?: unknown): void
  error(message: string, meta?: unknown): void
}

const SECRET_NAME = /token|secret|passw|private|share|seed|mnemonic|otp|authorization|proof|cookie/i
/** JWTs; base58 or hex keys of 64 bytes and hex of 32; long digit-only or base64 runs are left, they carry traces. */
const SECRET_SHAPE =
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b[1-9A-HJ-NP-Za-km-z]{86,88}\b|\b(?:0x)?[\da-f]{64}(?:[\da-f]{64})?\b/gi
const HIDDEN = '[redacted]'
const MOST_CHARACTERS = 20_000

const redactText = (text: string): string => text.slice(0, 2000).replace(SECRET_SHAPE, HIDDEN)

/** A plain copy that is safe to show. What cannot be read (circles, getters that throw) or is too large says so instead. */
export const redact = (value: unknown): unknown => {
  try {
    const json = JSON.stringify(value, function (this: unknown, key, item: unknown) {
      // The `code` of an error is its name; any other may be a one-time code.
      if (SECRET_NAME.test(key) || (key === 'code' && !hasShape<Error>(this, { name: 'string' }))) return HIDDEN
      if (typeof item === 'string') return redactText(item)
      if (typeof item === 'bigint') return String(item)
      if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) return `[${item.byteLength} bytes]`
      const raw: unknown = Reflect.get(Object(this), key) // what it was before its toJSON
      return raw instanceof Error ? { ...raw, name: raw.name, message: raw.message, cause: raw.cause } : item
    })
    return json && (json.length > MOST_CHARACTERS ? '[large]' : JSON.parse(json))
  } catch {
    return '[unreadable]'
  }
}

/** What was thrown may be anything, even something that throws when it is looked at. */
const stackOf = (thrown: unknown): string | undefined => {
  try {
    return thrown instanceof Error ? redactText(String(thrown.stack)) : undefined
  } catch {
    return undefined
  }
}

/** The troubleshoot mode of S9.5: set this key in local storage to see everything. */
export const TROUBLESHOOT_KEY = 'keybay:troubleshoot'
const troubleshooting = (): boolean => {
  try {
    return globalThis.localStorage.getItem(TROUBLESHOOT_KEY) !== null
  } catch {
    return false
  }
}

/** `onEntry` hears every entry that is shown, and every error whether shown or not. */
export const createLogger = (level: LogLevel, onEntry: (entry: LogEntry) => void): Logger => {
  let least: number | undefined
  const write = (at: Level) => (message: string, meta?: unknown) => {
    // Read on first use: creating an instance must not touch storage.
    least ??= troubleshooting() ? LEVELS.debug : LEVELS[level]
    const shown = LEVELS[at] >= least
    if (!shown && at !== 'error') return
    const safe = redactText(message)
    const clean = redact(meta)
    // biome-ignore lint/suspicious/noConsole: the one place that writes to it
    if (shown) console[at](`[keybay] ${safe}`, ...(meta === undefined ? [] : [clean]))
    onEntry({ level: at, message: safe, meta: clean, stack: stackOf(meta) })
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
