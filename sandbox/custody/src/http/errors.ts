/** All errors of the service in the protocol's format: a gRPC code, a message, and details with Turnkey's code. */

const HTTP = { 3: 400, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 13: 500, 14: 503, 16: 401 } as const
export type RpcCode = keyof typeof HTTP

function spec<const Name extends string>(code: RpcCode, name: Name, message: string) {
  return { code, name, message }
}
export type CustodyErrorSpec = ReturnType<typeof spec>

export const invalidRequest = spec(3, 'BAD_REQUEST', 'invalid request')
export const timestampOutside = spec(3, 'TIMESTAMP_OUT_OF_RANGE', 'timestampMs is too far from the current time')
export const typeMismatch = spec(3, 'ACTIVITY_TYPE_MISMATCH', 'activity type does not belong to this address')
export const attestationInvalid = spec(3, 'ATTESTATION_INVALID', 'the attestation of the authenticator is not valid')
export const policyInvalid = spec(3, 'POLICY_INVALID', 'the policy cannot be read')
export const notFound = spec(5, 'NOT_FOUND', 'there is nothing here')
export const resourceNotFound = spec(5, 'RESOURCE_NOT_FOUND', 'no such resource in this organization')
export const alreadyExists = spec(6, 'RESOURCE_EXISTS', 'there is such a resource already')
export const permissionDenied = spec(
  7,
  'PERMISSION_DENIED',
  "You don't have sufficient permissions to take this action.",
)
export const organizationBlocked = spec(7, 'ORGANIZATION_BLOCKED', 'the operator has blocked this organization')
export const originDenied = spec(7, 'ORIGIN_NOT_ALLOWED', 'this page may not use the service')
export const tooMany = spec(8, 'RATE_LIMITED', 'too many requests, try again later')
export const failedPrecondition = spec(9, 'FAILED_PRECONDITION', 'this cannot be done now')
export const signingFailed = spec(3, 'INVALID_PAYLOAD', 'the payload cannot be signed')
export const internalError = spec(13, 'INTERNAL', 'internal error')
export const unavailable = spec(14, 'UNAVAILABLE', 'a service that this needs does not answer')
export const stampMissing = spec(16, 'STAMP_MISSING', 'request not authorized: no stamp')
export const stampInvalid = spec(16, 'SIGNATURE_INVALID', 'request not authorized: the stamp is not valid')
export const keyNotFound = spec(
  16,
  'PUBLIC_KEY_NOT_FOUND',
  'could not find public key in organization or its parent organization',
)
export const keyExpired = spec(16, 'API_KEY_EXPIRED', 'expired api key')
export const counterRolledBack = spec(
  16,
  'AUTHENTICATOR_COUNTER',
  'request not authorized: the authenticator counts backwards',
)

/** Error sent as `{ code, message, details }`. The details must be safe to show to any caller. */
export class CustodyError extends Error {
  override readonly name = 'CustodyError'
  readonly spec: CustodyErrorSpec
  readonly details: Readonly<Record<string, unknown>>

  constructor(spec: CustodyErrorSpec, details: Readonly<Record<string, unknown>> = {}) {
    super(spec.message)
    this.spec = spec
    this.details = details
  }

  /** Error code for the log. */
  get code(): string {
    return this.spec.name
  }

  /** In seconds, for the header Retry-After. */
  get retryAfter(): number | undefined {
    const { retryAfter } = this.details
    return typeof retryAfter === 'number' ? retryAfter : undefined
  }

  get status(): number {
    return HTTP[this.spec.code]
  }

  toJSON(): object {
    const { code, name: turnkeyErrorCode, message } = this.spec
    return { code, message, details: [{ turnkeyErrorCode, ...this.details }], turnkeyErrorCode }
  }
}

/** Returns the row. @throws CustodyError `RESOURCE_NOT_FOUND` that names the missing resource */
export function required<Row>(row: Row | undefined, resource: string): Row {
  if (row === undefined) throw new CustodyError(resourceNotFound, { resource })
  return row
}
