/** Structured log line of a service, written as one line of JSON. */

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly [field: string]: unknown
}
export type Log = (line: LogLine) => void

/** Maximum time that a line is buffered, in ms. */
const TOGETHER_MS = 50
const MAX_TOGETHER = 500

/** Output stream that writes to a file or a pipe before `write` returns, as `process.stdout` does. */
interface LogStream {
  write(text: string): unknown
}

/**
 * Writes lines in batches, because each write blocks the process and its requests. An error is written at once, with
 * all lines before it; the rest of the buffer is written when the process ends.
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
  let isUsed = false
  return line => {
    // Options that are only read, as an operator's command does, leave no listener behind.
    if (!isUsed) process.on('exit', flush)
    isUsed = true
    waiting.push(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`)
    if (line.level === 'error' || waiting.length >= MAX_TOGETHER) flush()
    else timer ??= setTimeout(flush, TOGETHER_MS).unref()
  }
}
