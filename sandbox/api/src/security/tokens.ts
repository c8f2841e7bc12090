/** Access tokens (short, verifiable by anybody) and refresh tokens (only good together with the session key). */
import { errors, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'
import type { Environment } from '../environments.js'
import { ApiError, sessionExpired, unauthorized } from '../http/errors.js'
import type { Services } from '../services.js'
import type { Hashes } from './hashes.js'

const issuerOf = ({ publicUrl }: Pick<Services, 'publicUrl'>, environment: Environment): string =>
  `${publicUrl}/sdk/${environment.id}`

export interface AccessTokenFacts {
  readonly sessionId: string
  readonly userId: string
  readonly thumbprint: string
  readonly publicKey: object
  readonly method: string
}

/** ES256, `aud` the environment, `cnf` (RFC 7800) the session's public key. */
export const signAccessToken = (
  services: Services,
  environment: Environment,
  { sessionId, userId, thumbprint, publicKey, method }: AccessTokenFacts,
): Promise<string> => {
  const now = Math.floor(services.clock.now() / 1000)
  const { kid, key } = services.keys.signing
  return new SignJWT({ sid: sessionId, amr: [method], cnf: { jkt: thumbprint, jwk: publicKey } })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
    .setIssuer(issuerOf(services, environment))
    .setAudience(environment.id)
    .setSubject(userId)
    .setIssuedAt(now)
    .setExpirationTime(now + environment.session.accessTokenSeconds)
    .sign(key)
}

const claims = v.object({ sid: v.string(), sub: v.string() })

/** @throws ApiError `unauthorized`, or `session_expired` for a token that was good once */
export const verifyAccessToken = async (
  services: Services,
  environment: Environment,
  token: string,
): Promise<{ sessionId: string; userId: string }> => {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = services.keys.verifying.get(kid ?? '')
        if (!key) throw new errors.JWKSNoMatchingKey()
        return key
      },
      {
        algorithms: ['ES256'],
        typ: 'at+jwt',
        issuer: issuerOf(services, environment),
        audience: environment.id,
        currentDate: new Date(services.clock.now()),
      },
    )
    const { sid, sub } = v.parse(claims, payload)
    return { sessionId: sid, userId: sub }
  } catch (error) {
    throw new ApiError(error instanceof errors.JWTExpired ? sessionExpired : unauthorized)
  }
}

/**
 * A refresh token names its session and its place in the family, under a keyed hash. So the database keeps a counter
 * and no token, and a token that is shown twice in time gets exactly the same successor.
 */
export const refreshToken = (hashes: Hashes, sessionId: string, counter: number): string =>
  `${sessionId}.${counter}.${hashes.keyed('refresh', sessionId, String(counter))}`

export const readRefreshToken = (hashes: Hashes, token: string): { sessionId: string; counter: number } | undefined => {
  const [sessionId = '', counter = '', hash = '', more] = token.split('.')
  if (more !== undefined || !/^\d{1,9}$/.test(counter)) return undefined
  return hashes.check(hash, 'refresh', sessionId, counter) ? { sessionId, counter: Number(counter) } : undefined
}
