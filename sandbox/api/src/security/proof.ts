/**
 * Proof that a request comes from who holds the session key: a DPoP proof (RFC 9449) in the header `DPoP`, with one claim
 * more, `bh`, the base64url SHA-256 of the body, so that an altered request is refused too.
 */

import { invalidSessionPublicKey } from '@keybay/kernel/spec'
import type { Clock } from '@keybay/sandbox-service'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { proofs } from '../db/schema.js'
import type { ProvedKey, UnspentProof } from '../http/access.js'
import { ApiError, invalidProof } from '../http/errors.js'
import { sameText, sha256 } from './hashes.js'
import { type ImportedKey, type PublicJwk, readJws } from './jws.js'

const PROOF_TYPE = 'dpop+jwt'
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
  exp: v.optional(v.number()),
  nbf: v.optional(v.number()),
})

export interface ProvedRequest {
  readonly method: string
  readonly path: string
  /** The body as it came; empty when there is none. */
  readonly rawBody: string
  /** Of the header `DPoP`. */
  readonly proof: string | undefined
}

export interface ProofContext {
  readonly clock: Clock
  /** Where the API is reached: a proof for another service is worth nothing here. */
  readonly origins: ReadonlySet<string>
  readonly importKey: (jwk: PublicJwk) => ImportedKey
}

/** `now` lets a client with a wrong clock set itself right. */
export function refuseProof(reason: string, now: number): ApiError {
  return new ApiError(invalidProof, { reason, now })
}

/**
 * Everything but whether it was seen before: whoever asks spends it, with {@link spendProof} or in a statement of its own.
 *
 * @throws ApiError `invalid_session_public_key` or `invalid_proof`
 */
export function verifyProof({ clock, origins, importKey }: ProofContext, request: ProvedRequest): UnspentProof {
  const now = clock.now()
  const seconds = now / 1000
  const refuse = (reason: string) => refuseProof(reason, now)
  if (request.proof === undefined || request.proof.length > 4096) throw refuse('missing')
  const jws = readJws(request.proof)
  if (!jws) throw refuse('form')
  const jwk = v.safeParse(publicKey, jws.jwk)
  if (!jwk.success) throw new ApiError(invalidSessionPublicKey)
  const { kty, crv, x, y } = jwk.output
  const { key, thumbprint } = imported(importKey, { kty, crv, x, y })
  if (!jws.verifiedBy(key, PROOF_TYPE)) throw refuse('signature')
  const parsed = v.safeParse(claims, jws.payload)
  if (!parsed.success) throw refuse('claims')
  const { jti, htm, htu, iat, bh = '', exp = Infinity, nbf = 0 } = parsed.output
  if (Math.abs(iat - seconds) > TOLERANCE || exp <= seconds || nbf > seconds) throw refuse('time')
  const url = URL.canParse(htu) ? new URL(htu) : undefined
  if (htm !== request.method || url?.pathname !== request.path || !origins.has(url.origin)) throw refuse('request')
  if (!sameText(bh, request.rawBody === '' ? '' : sha256(request.rawBody))) throw refuse('body')
  return {
    key: { thumbprint, publicKey: { kty, crv, x, y } },
    row: { id: sha256(`${thumbprint}.${jti}`), expiresAt: now + 2 * TOLERANCE * 1000 },
  }
}

function imported(importKey: ProofContext['importKey'], jwk: PublicJwk): ImportedKey {
  try {
    return importKey(jwk)
  } catch {
    // A point that is not on the curve.
    throw new ApiError(invalidSessionPublicKey)
  }
}

/** Of two at once, by whichever instance, one spends it. @throws ApiError `invalid_proof` when it was seen before */
export async function spendProof(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { key, row }: UnspentProof,
): Promise<ProvedKey> {
  const [fresh] = await db.insert(proofs).values(row).onConflictDoNothing().returning()
  if (!fresh) throw refuseProof('replay', clock.now())
  return key
}
