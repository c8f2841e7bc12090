/** Levels, redaction, and the entries that others hear. Nothing secret should pass: redaction is by type and shape, then by name. */

import { hasShape, quietly } from './shape.js'

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
/**
 * JWTs and what else is JSON in base64; keys of 64 bytes in base58, of 32 or 64 in hex and base64; the `code=` and `token=` of
 * addresses; seed phrases. A base58 key of 32 bytes looks like an address, and stays. No alternative backtracks over more than a key.
 */
const SECRET_SHAPE = /\beyJ[\w.-]+|\w{64,}|[\w+/]{43,86}==?|(?:code|token)=[^&\s]+|(?:[a-z]{3,8}\b\s*){12,}/gi
const HIDDEN = '[redacted]'
const LARGE = '[large]'
const MOST_CHARACTERS = 20_000

/** Cut after redaction: half a key is still half a key. */
export function redactText(text: string): string {
  return text.length > MOST_CHARACTERS ? LARGE : text.replace(SECRET_SHAPE, HIDDEN).slice(0, 2000)
}

/** A plain copy that is safe to show. What cannot be read (circles, getters that throw) or is too large says so instead. */
export function redact(value: unknown): unknown {
  try {
    const json = JSON.stringify(value, function (this: unknown, key, item: unknown) {
      // The `code` beside a message is an error's name; any other may be a one-time code.
      if (SECRET_NAME.test(key) || (key === 'code' && !hasShape<Error>(this, { message: 'string' }))) return HIDDEN
      const raw: unknown = Reflect.get(Object(this), key) // before its toJSON, by which a Buffer spells out its bytes
      if (ArrayBuffer.isView(raw)) return `[${raw.byteLength} bytes]`
      if (typeof item === 'string') return redactText(item)
      if (typeof item === 'bigint') return String(item)
      return raw instanceof Error ? { ...raw, name: raw.name, message: raw.message, cause: raw.cause } : item
    })
    return json && (json.length > MOST_CHARACTERS ? LARGE : JSON.parse(json))
  } catch {
    return '[unreadable]'
  }
}

/** The troubleshoot mode of S9.5: set this key in local storage to see everything. */
export const TROUBLESHOOT_KEY = 'keybay:troubleshoot'

/** `onEntry` hears every entry that is shown, and every error whether shown or not. */
export function createLogger(level: LogLevel, onEntry: (entry: LogEntry) => void): Logger {
  let least: number | undefined
  const write = (at: Level) => (message: string, meta?: unknown) => {
    // Read on first use: creating an instance must not touch storage.
    least ??= typeof quietly(() => localStorage.getItem(TROUBLESHOOT_KEY)) === 'string' ? LEVELS.debug : LEVELS[level]
    const shown = LEVELS[at] >= least
    if (!shown && at !== 'error') return
    const safe = redactText(message)
    const clean = redact(meta)
    // biome-ignore lint/suspicious/noConsole: the one place that writes to it
    if (shown) console[at](`[keybay] ${safe}`, ...(meta === undefined ? [] : [clean]))
    const stack = quietly(() => (meta instanceof Error ? redactText(String(meta.stack)) : undefined))
    onEntry({ level: at, message: safe, meta: clean, stack })
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
