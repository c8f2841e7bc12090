/** Signs users in with the host's own token: a recent JWT for this environment, which is accepted once. */
import { errors, jwtVerify } from 'jose'
import * as v from 'valibot'
import type { Call } from '../http/call.js'
import { ApiError, invalidExternalToken, methodNotEnabled } from '../http/errors.js'
import { sha256 } from '../security/hashes.js'
import { KEY_PAIR_ALGORITHMS, keySet } from '../security/key-sets.js'
import { useOnce } from '../security/once.js'
import type { ProvedCredential } from './credentials.js'

const MAX_SUBJECT = 255
/** Maximum time since a token was issued, in seconds. */
const MAX_AGE = 5 * 60
/** Maximum time between the issue and the expiry of a token, in seconds. */
const MAX_LIFETIME = 60 * 60
/** Maximum clock difference between the host and this service, in seconds. */
const TOLERANCE = 30

const claimsSchema = v.object({
  sub: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(MAX_SUBJECT),
    v.check(text => !/[\0\p{Surrogate}]/u.test(text)),
  ),
  iat: v.number(),
  exp: v.number(),
})

/**
 * Uses up the token, so that a token in a log or a history signs in no one else.
 * @throws ApiError `method_not_enabled`, `invalid_external_token`
 */
export async function proveExternal({ environment, services }: Call, token: string): Promise<ProvedCredential> {
  const { externalJwt } = environment
  if (!externalJwt) throw new ApiError(methodNotEnabled)
  const { issuer, audience, jwksUrl } = externalJwt
  const { sub, iat } = await verify()
  const expiresAt = (iat + MAX_AGE + 2 * TOLERANCE) * 1000
  if (!(await useOnce(services.db, { id: identify(token), expiresAt })))
    throw new ApiError(invalidExternalToken, { reason: 'replay' })
  return { method: 'externalUser', provider: '', subject: sub }

  async function verify(): Promise<v.InferOutput<typeof claimsSchema>> {
    try {
      const { payload } = await jwtVerify(token, keySet(jwksUrl), {
        algorithms: KEY_PAIR_ALGORITHMS,
        issuer,
        audience,
        requiredClaims: ['sub', 'exp'],
        maxTokenAge: MAX_AGE,
        currentDate: new Date(services.clock.now()),
        clockTolerance: TOLERANCE,
      })
      const { success, output } = v.safeParse(claimsSchema, payload)
      if (!success || output.exp - output.iat > MAX_LIFETIME) throw new errors.JWTInvalid()
      return output
    } catch (error) {
      const reason = error instanceof errors.JOSEError ? error.code : 'unreachable'
      throw new ApiError(invalidExternalToken, { reason })
    }
  }
}

/**
 * Returns the same ID for every spelling of a token. Of the signature only the first half counts: without the host's key,
 * an ECDSA signature (r, s) can be turned into (r, -s), and base64url text into another text of the same bytes.
 */
function identify(token: string): string {
  const end = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  const half = signature.subarray(0, signature.length / 2).toString('base64url')
  return sha256(`external.${token.slice(0, end)}.${half}`)
}
