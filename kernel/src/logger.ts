/** Writes log entries, redacted by type, shape and name so that no secret gets into a log. */

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
 * Matches JWTs and other JSON in base64; keys of 64 bytes in base58, and of 32 or 64 bytes in hex and base64; `code=` and
 * `token=` in addresses; seed phrases. Not a base58 key of 32 bytes: it looks like an address. No alternative backtracks
 * over more than a key.
 */
const SECRET_SHAPE = /\beyJ[\w.-]+|\w{64,}|[\w+/]{43,86}==?|(?:code|token)=[^&\s]+|(?:[a-z]{3,8}\b\s*){12,}/gi
const HIDDEN = '[redacted]'
const LARGE = '[large]'
const MAX_LENGTH = 20_000

/** Redacts before it cuts, because half a key is still secret. */
export function redactText(text: string): string {
  return text.length > MAX_LENGTH ? LARGE : text.replace(SECRET_SHAPE, HIDDEN).slice(0, 2000)
}

/** Returns a plain copy that is safe to show. A marker replaces what is too large or cannot be read (cycles, getters that throw). */
export function redact(value: unknown): unknown {
  try {
    const json = JSON.stringify(value, function (this: unknown, key, item: unknown) {
      // The `code` of an error is its name; any other may be a one-time code.
      if (SECRET_NAME.test(key) || (key === 'code' && !hasShape<Error>(this, { message: 'string' }))) return HIDDEN
      const raw: unknown = Reflect.get(Object(this), key) // before `toJSON`, because a Buffer's lists its bytes
      if (ArrayBuffer.isView(raw)) return `[${raw.byteLength} bytes]`
      if (typeof item === 'string') return redactText(item)
      if (typeof item === 'bigint') return String(item)
      return raw instanceof Error ? { ...raw, name: raw.name, message: raw.message, cause: raw.cause } : item
    })
    return json && (json.length > MAX_LENGTH ? LARGE : JSON.parse(json))
  } catch {
    return '[unreadable]'
  }
}

/** Set this key in local storage to log everything (S9.5). */
export const TROUBLESHOOT_KEY = 'keybay:troubleshoot'

/** @param onEntry receives each entry that is shown, and each error whether shown or not */
export function createLogger(level: LogLevel, onEntry: (entry: LogEntry) => void): Logger {
  let lowest: number | undefined
  const write = (at: Level) => (message: string, meta?: unknown) => {
    // Read on first use: creating an instance must not touch storage.
    lowest ??= typeof quietly(() => localStorage.getItem(TROUBLESHOOT_KEY)) === 'string' ? LEVELS.debug : LEVELS[level]
    const shown = LEVELS[at] >= lowest
    if (!shown && at !== 'error') return
    const safe = redactText(message)
    const clean = redact(meta)
    // biome-ignore lint/suspicious/noConsole: the only place that writes to it
    if (shown) console[at](`[keybay] ${safe}`, ...(meta === undefined ? [] : [clean]))
    const stack = quietly(() => (meta instanceof Error ? redactText(String(meta.stack)) : undefined))
    onEntry({ level: at, message: safe, meta: clean, stack })
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
