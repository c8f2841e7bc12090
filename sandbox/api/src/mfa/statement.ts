/** Statement by the session key that a wallet frame, which does not hold that key, may request one second factor. */
import * as v from 'valibot'
import type { ActiveSession, Call } from '../http/call.js'
import { sameText, sha256 } from '../security/hashes.js'
import { readJws } from '../security/jws.js'
import { refuseProof, spendProof } from '../security/proof.js'

const STATEMENT_TYPE = 'keybay-session+jwt'
const OPERATION = 'mfa'
/** Maximum difference between the statement's time and ours, in ms. */
const TOLERANCE = 60_000

const claims = v.strictObject({
  sid: v.string(),
  op: v.literal(OPERATION),
  hash: v.string(),
  origin: v.string(),
  iat: v.number(),
  jti: v.pipe(v.string(), v.minLength(16), v.maxLength(128)),
})

/** Checks and spends a statement: each opens one step-up, for one request. @throws ApiError `invalid_proof` */
export async function spendStatement(
  { services, environment }: Call,
  session: ActiveSession,
  { statement, requestHash }: { readonly statement: string; readonly requestHash: string },
): Promise<void> {
  const now = services.clock.now()
  const refuse = (reason: string) => refuseProof(reason, now)
  const jws = readJws(statement)
  const { publicKey, thumbprint } = session
  const { key } = services.importKey(publicKey)
  if (!jws?.verifiedBy(key, STATEMENT_TYPE)) throw refuse('signature')
  const parsed = v.safeParse(claims, jws.payload)
  if (!parsed.success) throw refuse('claims')
  const { sid, hash, origin, iat, jti } = parsed.output
  if (!sameText(sid, session.id)) throw refuse('session')
  if (Math.abs(iat * 1000 - now) > TOLERANCE) throw refuse('time')
  if (!environment.pageOrigins.has(origin)) throw refuse('origin')
  if (!sameText(hash, requestHash)) throw refuse('request')
  const row = { id: sha256(`${STATEMENT_TYPE}.${thumbprint}.${jti}`), expiresAt: now + 2 * TOLERANCE }
  await spendProof(services, { key: { thumbprint, publicKey }, row })
}
