/** Access token of the product API: verified with the API's published keys and cached until it expires. */
import type { KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { getKey, publicJwk } from '../crypto/jwk.js'
import type { Call } from '../http/call.js'
import { RelayError, sessionExpired, unauthorized } from '../http/errors.js'
import { isSignedBy, readJws } from './jws.js'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(128))
const claimsSchema = v.object({
  iss: v.string(),
  aud: v.string(),
  sub: text,
  sid: text,
  jti: text,
  iat: v.number(),
  exp: v.number(),
  cnf: v.object({ jwk: v.object({ ...publicJwk.entries }) }),
})

export interface TokenFacts {
  readonly token: string
  readonly userId: string
  readonly sessionId: string
  readonly jti: string
  /** Key of the host's session. */
  readonly sessionKey: KeyObject
  /** ms since epoch */
  readonly expiresAt: number
}

const MAX_KEPT = 20_000
const CLOCK_TOLERANCE = 5_000
const verified = new WeakMap<object, Map<string, TokenFacts>>()

/** @throws RelayError `unauthorized`, or `session_expired` for a token that was valid before */
export async function verifyToken({ services, environment, header }: Call): Promise<TokenFacts> {
  const token = /^Bearer (\S{1,4096})$/i.exec(header('authorization') ?? '')?.[1]
  if (token === undefined) throw new RelayError(unauthorized)
  const kept = verified.get(services) ?? new Map<string, TokenFacts>()
  verified.set(services, kept)
  const now = services.clock.now()
  const name = `${environment.id} ${token}`
  const known = kept.get(name)
  if (known && known.expiresAt > now) return known
  const jws = readJws(token, 'at+jwt')
  const parsed = v.safeParse(claimsSchema, jws?.claims)
  if (!jws || !parsed.success || typeof jws.header.kid !== 'string') throw new RelayError(unauthorized)
  const { iss, aud, sub, sid, jti, iat, exp, cnf } = parsed.output
  if (iss !== environment.issuer || aud !== environment.id) throw new RelayError(unauthorized)
  const jwk = await services.api.key(environment, jws.header.kid)
  const key = jwk && getKey(jwk)
  if (!key || !isSignedBy(jws, key) || iat * 1000 > now + CLOCK_TOLERANCE) throw new RelayError(unauthorized)
  if (exp * 1000 <= now) throw new RelayError(sessionExpired)
  const sessionKey = getKey(cnf.jwk)
  if (!sessionKey) throw new RelayError(unauthorized)
  const facts = { token, userId: sub, sessionId: sid, jti, sessionKey, expiresAt: exp * 1000 }
  const [oldest] = kept.keys()
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(name, facts)
  return facts
}
