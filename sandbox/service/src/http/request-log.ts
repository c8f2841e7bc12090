/** Writes the log line of a completed request. */
import type { Log } from '../log.js'

export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** Route pattern, never the URL: URLs, queries and headers can contain private data. */
  readonly route: string
  readonly status: number
  /** Start time from `performance.now()`. */
  readonly started: number
  /** Code of the error that was sent. */
  readonly code?: string | undefined
  /** Fields that the handler added. */
  readonly noted?: Readonly<Record<string, unknown>>
}

/** Logs a server error at the error level. */
export function logRequest(log: Log, { started, code, noted, ...request }: AnsweredRequest): void {
  log({
    level: request.status >= 500 ? 'error' : 'info',
    message: 'request',
    ...request,
    ms: Math.round((performance.now() - started) * 10) / 10,
    ...(code !== undefined && { code }),
    ...noted,
  })
}
