/** Errors as CloudKit returns them: CloudKit Web Services Reference, “Error Codes”. */
import { randomUUID } from 'node:crypto'

export type CloudKitCode =
  | 'AUTHENTICATION_REQUIRED'
  | 'AUTHENTICATION_FAILED'
  | 'BAD_REQUEST'
  | 'NOT_FOUND'
  | 'EXISTS'
  | 'CONFLICT'
  | 'QUOTA_EXCEEDED'
  | 'INTERNAL_ERROR'
  | 'TRY_AGAIN_LATER'

const STATUS = {
  AUTHENTICATION_REQUIRED: 421,
  AUTHENTICATION_FAILED: 401,
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  EXISTS: 409,
  CONFLICT: 409,
  QUOTA_EXCEEDED: 413,
  INTERNAL_ERROR: 500,
  TRY_AGAIN_LATER: 503,
} as const

export class CloudKitError extends Error {
  override readonly name = 'CloudKitError'
  readonly code: CloudKitCode
  readonly redirectURL: string | undefined

  constructor(code: CloudKitCode, reason: string, redirectURL?: string) {
    super(reason)
    this.code = code
    this.redirectURL = redirectURL
  }

  get status(): (typeof STATUS)[CloudKitCode] {
    return STATUS[this.code]
  }

  toJSON(): object {
    return {
      uuid: randomUUID(),
      serverErrorCode: this.code,
      reason: this.message,
      ...(this.redirectURL !== undefined && { redirectURL: this.redirectURL }),
    }
  }
}

export function badRequest(reason: string): CloudKitError {
  return new CloudKitError('BAD_REQUEST', reason)
}
