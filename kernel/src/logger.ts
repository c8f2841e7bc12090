/** Writes log entries to the console and reports them to listeners, redacted. */
import { redact } from './spec/redact.js'
import { redactText } from './spec/redact-text.js'
import { quietly } from './spec/shape.js'

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

/** The troubleshoot mode of S9.5: set this key in local storage to log every level. */
export const TROUBLESHOOT_KEY = 'keybay:troubleshoot'

/** @param onEntry receives every entry at or above the level, and every error whatever the level */
export function createLogger(level: LogLevel, onEntry: (entry: LogEntry) => void): Logger {
  let minimum: number | undefined
  const write = (at: Level) => (message: string, meta?: unknown) => {
    // Read on first use: creating an instance must not touch storage.
    minimum ??= typeof quietly(() => localStorage.getItem(TROUBLESHOOT_KEY)) === 'string' ? LEVELS.debug : LEVELS[level]
    const shown = LEVELS[at] >= minimum
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
