/** Verifies ID tokens: the provider's keys, our clock, our client and this flow. */
import { decodeJwt, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { KEY_PAIR_ALGORITHMS, keySet } from '../security/key-sets.js'
import { notVerified, unreachable } from './fault.js'

/** Maximum difference between the provider's clock and ours, in seconds, for `iat`, `nbf` and `exp`. */
const TOLERANCE = 60

export interface IdTokenExpectations {
  /** Issuer, with `{tid}` as the placeholder for the token's own claim. */
  readonly issuer: string
  readonly audience: string
  /** Undefined if the provider repeats no nonce. */
  readonly nonce: string | undefined
  /** URL of the keys; if undefined, the client's secret is the key (HS256). */
  readonly jwks: string | undefined
  readonly secret: string
  /** In ms since epoch. */
  readonly now: number
}

/** The token names its own tenant, so check the tenant's format before inserting it into an issuer. */
function getIssuer(template: string, token: string): string {
  if (!template.includes('{tid}')) return template
  const { tid } = decodeJwt(token)
  return template.replace('{tid}', typeof tid === 'string' && /^[\w-]{1,64}$/.test(tid) ? tid : '')
}

/** @throws ApiError `verification_error` with the reason, `signin_error` when the keys cannot be fetched */
export async function verifyIdToken(token: string, expected: IdTokenExpectations): Promise<JWTPayload> {
  const { audience, jwks, now, nonce, secret } = expected
  try {
    const options: JWTVerifyOptions = {
      issuer: getIssuer(expected.issuer, token),
      audience,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(now),
      clockTolerance: TOLERANCE,
    }
    const { payload } =
      jwks === undefined
        ? await jwtVerify(token, new TextEncoder().encode(secret), { ...options, algorithms: ['HS256'] })
        : await jwtVerify(token, keySet(jwks), { ...options, algorithms: KEY_PAIR_ALGORITHMS })
    if (nonce !== undefined && payload.nonce !== nonce) throw notVerified('nonce')
    // A token from the future means that the provider's clock or ours is wrong.
    if ((payload.iat ?? 0) > now / 1000 + TOLERANCE) throw notVerified('time')
    return payload
  } catch (error) {
    if (error instanceof errors.JWTClaimValidationFailed)
      throw notVerified(error.claim === 'nbf' ? 'time' : error.claim)
    if (error instanceof errors.JWTExpired) throw notVerified('time')
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) {
      throw error instanceof TypeError || error instanceof errors.JWKSTimeout ? unreachable() : error
    }
    throw notVerified(error.code === errors.JOSEError.code ? 'keys' : 'signature')
  }
}
