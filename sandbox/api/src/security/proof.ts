/**
 * Proof that a request comes from who holds the session key: a DPoP proof (RFC 9449) in the header `DPoP`, with one claim
 * more, `bh`, the base64url SHA-256 of the body, so that an altered request is refused too.
 */

import { invalidSessionPublicKey } from '@keybay/kernel/spec'
import type { Clock } from '@keybay/sandbox-service'
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, errors, jwtVerify } from 'jose'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { proofs } from '../db/schema.js'
import { ApiError, invalidProof } from '../http/errors.js'
import { sameText, sha256 } from './hashes.js'

/** How far a proof's time may be from ours, seconds. A client with a wrong clock learns ours from the error. */
const TOLERANCE = 60

const coordinate = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const publicKey = v.strictObject({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: coordinate,
  y: coordinate,
  ext: v.optional(v.boolean()),
  key_ops: v.optional(v.array(v.string())),
})
const claims = v.object({
  jti: v.pipe(v.string(), v.minLength(16), v.maxLength(128)),
  htm: v.string(),
  htu: v.string(),
  iat: v.number(),
  bh: v.optional(v.string()),
})

/** A session's public key, proved to be in the hands of who asks. */
export interface ProvedKey {
  /** RFC 7638 */
  readonly thumbprint: string
  readonly publicKey: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
}

export interface ProvedRequest {
  readonly method: string
  readonly path: string
  /** The body as it came; empty when there is none. */
  readonly rawBody: string
  /** Of the header `DPoP`. */
  readonly proof: string | undefined
}

export interface ProofContext {
  readonly db: Database
  readonly clock: Clock
  /** Where the API is reached: a proof for another service is worth nothing here. */
  readonly origins: ReadonlySet<string>
}

/**
 * @param once false where the request itself can happen only once, and a write is to be saved
 * @throws ApiError `invalid_session_public_key` or `invalid_proof`
 */
export const verifyProof = async (
  { db, clock, origins }: ProofContext,
  request: ProvedRequest,
  once = true,
): Promise<ProvedKey> => {
  const now = clock.now()
  const refuse = (reason: string) => new ApiError(invalidProof, { reason, now })
  if (request.proof === undefined || request.proof.length > 4096) throw refuse('missing')
  const key = readKey(request.proof, refuse)
  const { payload } = await jwtVerify(request.proof, EmbeddedJWK, {
    algorithms: ['ES256'],
    typ: 'dpop+jwt',
    currentDate: new Date(now),
  }).catch(error => {
    // A point that is not on the curve.
    throw error instanceof errors.JOSEError ? refuse('signature') : new ApiError(invalidSessionPublicKey)
  })
  const parsed = v.safeParse(claims, payload)
  if (!parsed.success) throw refuse('claims')
  const { jti, htm, htu, iat, bh = '' } = parsed.output
  if (Math.abs(iat - now / 1000) > TOLERANCE) throw refuse('time')
  const url = URL.canParse(htu) ? new URL(htu) : undefined
  if (htm !== request.method || url?.pathname !== request.path || !origins.has(url.origin)) throw refuse('request')
  if (!sameText(bh, request.rawBody === '' ? '' : sha256(request.rawBody))) throw refuse('body')
  const thumbprint = await calculateJwkThumbprint(key)
  if (once) {
    const id = sha256(`${thumbprint}.${jti}`)
    const expiresAt = now + 2 * TOLERANCE * 1000
    const [fresh] = await db.insert(proofs).values({ id, expiresAt }).onConflictDoNothing().returning()
    if (!fresh) throw refuse('replay')
  }
  return { thumbprint, publicKey: key }
}

const readKey = (proof: string, refuse: (reason: string) => ApiError): ProvedKey['publicKey'] => {
  let jwk: unknown
  try {
    jwk = decodeProtectedHeader(proof).jwk
  } catch {
    throw refuse('form')
  }
  const parsed = v.safeParse(publicKey, jwk)
  if (!parsed.success) throw new ApiError(invalidSessionPublicKey)
  const { kty, crv, x, y } = parsed.output
  return { kty, crv, x, y }
}
