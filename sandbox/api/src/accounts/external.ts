/** Sign-in with the host's own token: a JWT that the host's JWKS verifies. */
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import type { Call } from '../http/call.js'
import { ApiError, invalidExternalToken, methodNotEnabled } from '../http/errors.js'
import type { ProvedCredential } from './credentials.js'

/** Keys are fetched again when one is unknown; what is kept here is a cache, nothing more. */
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

const keySet = (url: string): ReturnType<typeof createRemoteJWKSet> => {
  const known =
    keySets.get(url) ?? createRemoteJWKSet(new URL(url), { timeoutDuration: 5_000, cooldownDuration: 10_000 })
  keySets.set(url, known)
  return known
}

/** Signatures of a key pair only: with a shared secret, whoever can check could also make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const MOST_SUBJECT = 255

/** @throws ApiError `method_not_enabled`, `invalid_external_token` */
export const proveExternal = async ({ environment, services }: Call, token: string): Promise<ProvedCredential> => {
  const { externalJwt } = environment
  if (!externalJwt) throw new ApiError(methodNotEnabled)
  const { issuer, audience, jwksUrl } = externalJwt
  try {
    const { payload } = await jwtVerify(token, keySet(jwksUrl), {
      algorithms: ALGORITHMS,
      issuer,
      ...(audience !== undefined && { audience }),
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(services.clock.now()),
      clockTolerance: 30,
    })
    const { sub = '' } = payload
    if (sub === '' || sub.length > MOST_SUBJECT || /[\0\p{Surrogate}]/u.test(sub)) throw new errors.JWTInvalid()
    return { method: 'externalUser', provider: '', subject: sub }
  } catch (error) {
    const reason = error instanceof errors.JOSEError ? error.code : 'unreachable'
    throw new ApiError(invalidExternalToken, { reason })
  }
}
