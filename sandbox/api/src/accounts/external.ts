/** Signs users in with the host's own token: a JWT that the host's JWKS verifies. */
import { errors, jwtVerify } from 'jose'
import type { Call } from '../http/call.js'
import { ApiError, invalidExternalToken, methodNotEnabled } from '../http/errors.js'
import { KEY_PAIR_ALGORITHMS, keySet } from '../security/key-sets.js'
import type { ProvedCredential } from './credentials.js'

const MAX_SUBJECT = 255

/** @throws ApiError `method_not_enabled`, `invalid_external_token` */
export async function proveExternal({ environment, services }: Call, token: string): Promise<ProvedCredential> {
  const { externalJwt } = environment
  if (!externalJwt) throw new ApiError(methodNotEnabled)
  const { issuer, audience, jwksUrl } = externalJwt
  try {
    const { payload } = await jwtVerify(token, keySet(jwksUrl), {
      algorithms: KEY_PAIR_ALGORITHMS,
      issuer,
      ...(audience !== undefined && { audience }),
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(services.clock.now()),
      clockTolerance: 30,
    })
    const { sub = '' } = payload
    if (sub === '' || sub.length > MAX_SUBJECT || /[\0\p{Surrogate}]/u.test(sub)) throw new errors.JWTInvalid()
    return { method: 'externalUser', provider: '', subject: sub }
  } catch (error) {
    const reason = error instanceof errors.JOSEError ? error.code : 'unreachable'
    throw new ApiError(invalidExternalToken, { reason })
  }
}
