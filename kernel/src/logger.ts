/** Levels, redaction, and the entries that others hear. Nothing secret may pass: redaction is by type and shape, then by name. */
import { isKeybayError } from './errors.js'

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

const SECRET_NAME = /token|secret|passw|private|share|seed|mnemonic|otp|^code$|authorization|proof|cookie/i
/** JWTs; base58 or hex keys of 64 bytes and hex of 32; long digit-only or base64 runs are left, they carry traces. */
const SECRET_SHAPE =
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b[1-9A-HJ-NP-Za-km-z]{86,88}\b|\b(?:0x)?[\da-f]{64}(?:[\da-f]{64})?\b/gi
const HIDDEN = '[redacted]'

const redactText = (text: string): string => text.slice(0, 2000).replace(SECRET_SHAPE, HIDDEN)

/** A copy that is safe to show: bounded in depth, width and length; getters that throw are survived. */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (depth > 4) return '[deep]'
  try {
    if (isKeybayError(value) || value instanceof Error)
      return {
        name: value.name,
        ...('code' in value && { code: value.code }),
        message: redactText(value.message),
        ...(value.cause !== undefined && { cause: redact(value.cause, depth + 1) }),
      }
    if (Array.isArray(value)) return value.slice(0, 50).map(item => redact(item, depth + 1))
    const entries = Object.entries(value).slice(0, 50)
    return Object.fromEntries(
      entries.map(([key, item]) => [key, SECRET_NAME.test(key) ? HIDDEN : redact(item, depth + 1)]),
    )
  } catch {
    return '[unreadable]'
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
    const stack = meta instanceof Error && meta.stack ? redactText(meta.stack) : undefined
    onEntry({ level: at, message: safe, meta: clean, stack })
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
