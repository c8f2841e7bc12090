/** The log's line of a request that was answered. */
import type { Log } from '../log.js'

export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** The pattern and never the address: addresses and queries carry what is private, and so do headers. */
  readonly route: string
  readonly status: number
  /** Of `performance.now()`. */
  readonly started: number
  /** Of the error that was answered. */
  readonly code?: string | undefined
  /** What the handler noted of its own. */
  readonly noted?: Readonly<Record<string, unknown>>
}

/** An error of ours stands out as one. */
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
