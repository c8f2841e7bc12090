/** Structured lines of a service, as JSON, one a line. */

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly [field: string]: unknown
}
export type Log = (line: LogLine) => void

/** How long a line may wait for others, ms. */
const TOGETHER_MS = 50
const MOST_TOGETHER = 500

/** Where lines go: a stream that writes to a file or a pipe before `write` returns, as `process.stdout` does. */
interface LogStream {
  write(text: string): unknown
}

/**
 * Writes lines together, because each write waits for the system, and the request with it. An error is written at once,
 * with all before it; what waits when the process ends is written then.
 *
 * @example startRelay({ …, log: jsonLog() })
 */
export function jsonLog(stream: LogStream = process.stdout): Log {
  let waiting: string[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) stream.write(waiting.join(''))
    waiting = []
  }
  process.on('exit', flush)
  return line => {
    waiting.push(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`)
    if (line.level === 'error' || waiting.length >= MOST_TOGETHER) flush()
    else timer ??= setTimeout(flush, TOGETHER_MS).unref()
  }
}
