/** Session checks: the access token, and the host's session signature (`signedSessionId`) over a single operation. */
import * as v from 'valibot'
import { sha256 } from '../crypto/jwk.js'
import type { Call } from '../http/call.js'
import { invalidSessionSignature, RelayError } from '../http/errors.js'
import { isSignedBy, readJws } from './jws.js'
import { type TokenFacts, verifyToken } from './token.js'

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
  if (!parsed.success) throw new RelayError(invalidSessionSignature, { reason: 'form', now: services.clock.now() })
  const { op, wallet: address, hash } = parsed.output
  return { op, hash, address }
}

/** @throws RelayError `unauthorized`, `session_expired`, `invalid_session_signature`, `api_unavailable` */
export async function verifySession(call: Call, operation: Operation): Promise<TokenFacts> {
  const { services, environment, header, note } = call
  const facts = await verifyToken(call)
  note({ userId: facts.userId, sessionId: facts.sessionId })
  const now = services.clock.now()
  const refuse = (reason: string): RelayError => new RelayError(invalidSessionSignature, { reason, now })
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
  return facts
}
