/** Base class of a service's errors, sent as `{ code, message, details? }`. */
export type ErrorDetails = Readonly<Record<string, unknown>>

export interface HttpErrorSpec<Code extends string> {
  readonly code: Code
  readonly message: string
}

/** Error of a service. Its details reach the client, so they must hold nothing private. */
export class HttpError<Code extends string> extends Error {
  readonly code: Code
  readonly status: number
  readonly details: ErrorDetails | undefined

  constructor({ code, message }: HttpErrorSpec<Code>, status: number, details?: ErrorDetails) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
  }

  /** Seconds, sent as Retry-After. */
  get retryAfter(): number | undefined {
    const { retryAfter } = this.details ?? {}
    return typeof retryAfter === 'number' ? retryAfter : undefined
  }

  toJSON(): { code: string; message: string; details?: ErrorDetails } {
    return { code: this.code, message: this.message, ...(this.details && { details: this.details }) }
  }
}
