/**
 * Verifies that the sender of a request holds the session key: a DPoP proof (RFC 9449) in the header `DPoP`. `ath`, the
 * base64url SHA-256 of the bearer token, ties it to that token; the extra claim `bh`, that of the body, to the body.
 */
import { invalidSessionPublicKey } from '@keybay/kernel/spec'
import type { Clock } from '@keybay/sandbox-service'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import type { Call, ProvedKey, UnspentProof } from '../http/call.js'
import { ApiError, invalidProof } from '../http/errors.js'
import { sameText, sha256 } from './hashes.js'
import { type ImportedKey, type PublicJwk, readJws } from './jws.js'
import { useOnce } from './once.js'
import { getBearer } from './tokens.js'

const PROOF_TYPE = 'dpop+jwt'
/** Maximum clock difference, in seconds. The error gives a client with a wrong clock our time. */
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
  ath: v.optional(v.string()),
  bh: v.optional(v.string()),
  exp: v.optional(v.number()),
  nbf: v.optional(v.number()),
})

export interface ProvedRequest {
  readonly method: string
  readonly path: string
  /** Body as received; empty if there is none. */
  readonly rawBody: string
  /** Token of the header `Authorization`. */
  readonly bearer: string | undefined
  /** Value of the header `DPoP`. */
  readonly proof: string | undefined
}

export interface ProofContext {
  readonly clock: Clock
  /** Origins at which the API is reached; a proof for another service is not valid here. */
  readonly origins: ReadonlySet<string>
  readonly importKey: (jwk: PublicJwk) => ImportedKey
}

/** Creates the error; `now` lets a client with a wrong clock correct itself. */
export function refuseProof(reason: string, now: number): ApiError {
  return new ApiError(invalidProof, { reason, now })
}

/** Checks all but reuse ({@link spendProof}). @throws ApiError `invalid_session_public_key`, `invalid_proof` */
function verifyProof({ clock, origins, importKey }: ProofContext, request: ProvedRequest): UnspentProof {
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
  const { jti, htm, htu, iat, ath = '', bh = '', exp = Infinity, nbf = 0 } = parsed.output
  if (Math.abs(iat - seconds) > TOLERANCE || exp <= seconds || nbf > seconds) throw refuse('time')
  const url = URL.canParse(htu) ? new URL(htu) : undefined
  if (htm !== request.method || url?.pathname !== request.path || !origins.has(url.origin)) throw refuse('request')
  if (!sameText(ath, request.bearer === undefined ? '' : sha256(request.bearer))) throw refuse('token')
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
    // The point is not on the curve.
    throw new ApiError(invalidSessionPublicKey)
  }
}

/** Spends a proof; of two concurrent calls, on any instance, one succeeds. @throws ApiError `invalid_proof` */
export async function spendProof(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { key, row }: UnspentProof,
): Promise<ProvedKey> {
  if (!(await useOnce(db, row))) throw refuseProof('replay', clock.now())
  return key
}

/** Checks the proof of a request, but for reuse. @throws ApiError as `verifyProof` */
export function readProof(call: Call): UnspentProof {
  const { method, path, rawBody } = call
  return verifyProof(call.services, { method, path, rawBody, bearer: getBearer(call), proof: call.header('dpop') })
}

/** Checks and spends the proof of a request. @throws ApiError as `verifyProof` */
export async function proveKey(call: Call): Promise<ProvedKey> {
  return spendProof(call.services, readProof(call))
}
