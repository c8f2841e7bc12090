/** Session checks: the access token, and the host's session signature (`signedSessionId`) over a single operation. */

import type { KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { Cache } from '../cache.js'
import { getKey, publicJwk, sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import type { Call, Head } from '../http/route.js'
import { isSignedBy, readJws } from './jws.js'

/** Lifetime of a session signature, in ms: enough for a ceremony and the user's consent. */
const LIFETIME = 5 * 60_000
const AHEAD = 60_000

const claimsSchema = v.strictObject({
  sid: v.string(),
  op: v.string(),
  wallet: v.optional(v.string()),
  hash: v.string(),
  origin: v.string(),
  iat: v.number(),
  jti: v.pipe(v.string(), v.minLength(16), v.maxLength(128)),
})

/** Logical operation, with the same name at host, frame and relay. */
export interface Operation {
  readonly op: string
  /** base58; absent when there is no wallet yet. */
  readonly address?: string | undefined
  /** base64url SHA-256: of the bytes to sign, or from {@link operationHash}. */
  readonly hash: string
}
/** Returns the hash of an operation that signs no bytes. */
export function operationHash(op: string, ...facts: readonly (string | boolean)[]): string {
  return sha256(JSON.stringify([op, ...facts]))
}

/** Returns the operation named by the unverified session signature; {@link verifySession} then verifies it. */
export function namedOperation({ services, header }: Call): Operation {
  const parsed = v.safeParse(claimsSchema, readJws(header('x-keybay-session'), 'keybay-session+jwt')?.claims)
  if (!parsed.success) throw new RelayError('invalid_session_signature', { reason: 'form', now: services.clock.now() })
  const { op, wallet: address, hash } = parsed.output
  return { op, hash, address }
}

/** @throws RelayError `unauthorized`, `session_expired`, `invalid_session_signature`, `api_unavailable` */
export async function verifySession(call: Call, operation: Operation): Promise<SessionFacts> {
  const { services, environment, header, note } = call
  const facts = await verifyToken(call)
  note({ userId: facts.userId, sessionId: facts.sessionId })
  const now = services.clock.now()
  const refuse = (reason: string): RelayError => new RelayError('invalid_session_signature', { reason, now })
  const signature = header('x-keybay-session')
  if (signature === undefined) throw refuse('missing')
  const jws = readJws(signature, 'keybay-session+jwt')
  const parsed = v.safeParse(claimsSchema, jws?.claims)
  if (!jws || !parsed.success) throw refuse('form')
  if (!isSignedBy(jws, facts.sessionKey)) throw refuse('signature')
  const { sid, op, wallet, hash, origin, iat } = parsed.output
  if (sid !== facts.sessionId) throw refuse('session')
  if (iat * 1000 > now + AHEAD || iat * 1000 < now - LIFETIME) throw refuse('time')
  if (!environment.hostOrigins.includes(origin)) throw refuse('origin')
  if (op !== operation.op || wallet !== operation.address || hash !== operation.hash) throw refuse('operation')
  // This call also fails when the session has ended.
  await services.api.devices(environment, facts.token)
  return { ...facts, origin }
}

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(128))
const tokenSchema = v.object({
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

export interface SessionFacts extends TokenFacts {
  /** Origin of the page that asks, as its session key signed. */
  readonly origin: string
}

const CLOCK_TOLERANCE = 5_000
interface VerifiedToken {
  readonly facts: TokenFacts
  /** The API's key that signed the token. */
  readonly kid: string
  readonly key: KeyObject
}
const verified = new WeakMap<object, Cache<VerifiedToken>>()

function getToken({ header }: Head): string | undefined {
  return /^Bearer (\S{1,4096})$/i.exec(header('authorization') ?? '')?.[1]
}

/** Returns the facts of a token that was verified before and has not expired. */
function recall({ services, environment }: Head, token: string): VerifiedToken | undefined {
  const known = verified.get(services)?.get(`${environment.id} ${token}`)
  return known && known.facts.expiresAt > services.clock.now() ? known : undefined
}

/** Returns true for a token that {@link verifyToken} accepted before. */
export function hasVerifiedToken(head: Head): boolean {
  const token = getToken(head)
  return token !== undefined && recall(head, token) !== undefined
}

/** Verifies the token once a request. @throws RelayError `'unauthorized'`, or `session_expired` for a token that was valid before */
export function verifyToken(head: Head): Promise<TokenFacts> {
  head.checked.token ??= verifyOnce(head)
  return head.checked.token
}

async function verifyOnce(head: Head): Promise<TokenFacts> {
  const { services, environment } = head
  const token = getToken(head)
  if (token === undefined) throw new RelayError('unauthorized')
  const getApiKey = async (kid: string): Promise<KeyObject | undefined> => {
    const jwk = await services.api.key(environment, kid)
    return jwk && getKey(jwk)
  }
  const known = recall(head, token)
  // The API may have withdrawn the key since.
  if (known && (await getApiKey(known.kid))?.equals(known.key)) return known.facts
  const cache = verified.get(services) ?? new Cache<VerifiedToken>()
  verified.set(services, cache)
  const now = services.clock.now()
  const jws = readJws(token, 'at+jwt')
  const parsed = v.safeParse(tokenSchema, jws?.claims, { abortEarly: true })
  const kid = jws?.header.kid
  if (!jws || !parsed.success || typeof kid !== 'string') throw new RelayError('unauthorized')
  const { iss, aud, sub, sid, jti, iat, exp, cnf } = parsed.output
  if (iss !== environment.issuer || aud !== environment.id) throw new RelayError('unauthorized')
  const key = await getApiKey(kid)
  if (!key || !isSignedBy(jws, key) || iat * 1000 > now + CLOCK_TOLERANCE) throw new RelayError('unauthorized')
  if (exp * 1000 <= now) throw new RelayError('session_expired')
  const sessionKey = getKey(cnf.jwk)
  if (!sessionKey) throw new RelayError('unauthorized')
  const facts: TokenFacts = { token, userId: sub, sessionId: sid, jti, sessionKey, expiresAt: exp * 1000 }
  return cache.set(`${environment.id} ${token}`, { facts, kid, key }).facts
}
