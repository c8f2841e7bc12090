/** Access tokens, which any party can verify, and refresh tokens, valid only with the session key. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { Environment } from '../environments.js'
import type { Call } from '../http/call.js'
import { ApiError, sessionExpired, unauthorized } from '../http/errors.js'
import type { Services } from '../services.js'
import type { Hashes } from './hashes.js'
import { readJws } from './jws.js'
import { ACCESS_TOKEN_TYPE } from './signing-keys.js'

/** Returns the name of the cookie that holds an environment's access token. */
export function accessCookie(environmentId: string): string {
  return `keybay_access_${environmentId}`
}

/** Returns the token of the `Authorization` header, if there is one. */
export function getBearer(call: Pick<Call, 'header'>): string | undefined {
  return /^Bearer (\S{1,4096})$/i.exec(call.header('authorization') ?? '')?.[1]
}

export function getIssuer({ publicUrl }: Pick<Services, 'publicUrl'>, environment: Environment): string {
  return `${publicUrl}/sdk/${environment.id}`
}

export interface AccessTokenFacts {
  readonly sessionId: string
  readonly userId: string
  readonly thumbprint: string
  readonly publicKey: object
  readonly method: string
  /** Time of the latest sign-in, in ms. */
  readonly authTime: number
  /** Set for a token that the page of a session in cookies can read. */
  readonly use?: 'bearer'
}

/** Signs an access token with ES256; `aud` is the environment, `cnf` (RFC 7800) the session's public key. */
export function signAccessToken(
  services: Services,
  environment: Environment,
  { sessionId, userId, thumbprint, publicKey, method, authTime, use }: AccessTokenFacts,
): string {
  const now = Math.floor(services.clock.now() / 1000)
  return services.keys.forEnvironment(environment.id).signAccessToken({
    sid: sessionId,
    amr: [method],
    auth_time: Math.floor(authTime / 1000),
    cnf: { jkt: thumbprint, jwk: publicKey },
    iss: getIssuer(services, environment),
    aud: environment.id,
    sub: userId,
    // RFC 9068 §2.2: ID by which other services refer to this token.
    jti: randomUUID(),
    iat: now,
    exp: now + environment.session.accessTokenSeconds,
    ...(use && { use }),
  })
}

const claims = v.object({
  sid: v.string(),
  sub: v.string(),
  iss: v.string(),
  aud: v.string(),
  exp: v.number(),
  use: v.optional(v.string()),
})

/** @throws ApiError `unauthorized`, or `session_expired` for a token that was once valid */
export function verifyAccessToken(services: Services, environment: Environment, token: string) {
  const jws = readJws(token)
  const key = services.keys.forEnvironment(environment.id).verifying.get(jws?.kid ?? '')
  if (!jws || !key || !jws.verifiedBy(key, ACCESS_TOKEN_TYPE)) throw new ApiError(unauthorized)
  const parsed = v.safeParse(claims, jws.payload)
  if (!parsed.success) throw new ApiError(unauthorized)
  const { sid, sub, iss, aud, exp, use } = parsed.output
  if (iss !== getIssuer(services, environment) || aud !== environment.id) throw new ApiError(unauthorized)
  if (exp <= Math.floor(services.clock.now() / 1000)) throw new ApiError(sessionExpired)
  return { sessionId: sid, userId: sub, use }
}

/** Returns a refresh token: a session and a counter under a keyed hash. A reused token gets the same successor. */
export function refreshToken(hashes: Hashes, sessionId: string, counter: number): string {
  return `${sessionId}.${counter}.${hashes.keyed('refresh', sessionId, String(counter))}`
}

export function readRefreshToken(hashes: Hashes, token: string): { sessionId: string; counter: number } | undefined {
  const [sessionId = '', counter = '', hash = '', more] = token.split('.')
  if (more !== undefined || !/^\d{1,9}$/.test(counter)) return undefined
  return hashes.check(hash, 'refresh', sessionId, counter) ? { sessionId, counter: Number(counter) } : undefined
}
