/** ID tokens: verified by the provider's keys, by our clock, for us, and for this very flow. */
import { decodeJwt, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { KEY_PAIR_ALGORITHMS, keySet } from '../security/key-sets.js'
import { notVerified, unreachable } from './fault.js'

/** How far the provider's clock and ours may be apart, s: for `iat`, `nbf` and `exp`. */
const TOLERANCE = 60

export interface IdTokenExpectations {
  /** With `{tid}` where the token's own claim goes. */
  readonly issuer: string
  readonly audience: string
  /** Undefined: the provider repeats none. */
  readonly nonce: string | undefined
  /** Where the keys are; else the client's secret is the key (HS256). */
  readonly jwks: string | undefined
  readonly secret: string
  /** ms since epoch */
  readonly now: number
}

/** A tenant names itself, so the name must have the form of one before it goes into an issuer. */
function issuerOf(template: string, token: string): string {
  if (!template.includes('{tid}')) return template
  const { tid } = decodeJwt(token)
  return template.replace('{tid}', typeof tid === 'string' && /^[\w-]{1,64}$/.test(tid) ? tid : '')
}

/** @throws ApiError `verification_error` with the reason, `signin_error` when the keys cannot be had */
export async function verifyIdToken(token: string, expected: IdTokenExpectations): Promise<JWTPayload> {
  const { audience, jwks, now, nonce, secret } = expected
  try {
    const options: JWTVerifyOptions = {
      issuer: issuerOf(expected.issuer, token),
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
    // Made in the future: the provider's clock, or ours, is wrong.
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
