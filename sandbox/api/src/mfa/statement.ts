/** Statement by the session key that a wallet frame, which does not hold that key, may request one second factor. */
import * as v from 'valibot'
import type { ActiveSession, Call } from '../http/call.js'
import { sameText, sha256 } from '../security/hashes.js'
import { spendProof } from '../security/proof.js'
import { readStatement, STATEMENT_TYPE, statementClaims } from '../security/statement.js'

/** Maximum difference between the statement's time and ours, in ms. */
const TOLERANCE = 60_000

const claims = v.strictObject({
  ...statementClaims,
  op: v.literal('mfa'),
  hash: v.string(),
  jti: v.pipe(v.string(), v.minLength(16), v.maxLength(128)),
})

/** Checks and spends a statement: each opens one step-up, for one request. @throws ApiError `invalid_proof` */
export async function spendStatement(
  call: Call,
  session: ActiveSession,
  { statement, requestHash }: { readonly statement: string; readonly requestHash: string },
): Promise<void> {
  const isForThis = ({ hash }: v.InferOutput<typeof claims>) => sameText(hash, requestHash)
  const rules = { claims, maxAge: TOLERANCE, maxAhead: TOLERANCE, isForThis }
  const { jti } = readStatement(call, session, statement, rules)
  const { publicKey, thumbprint } = session
  const expiresAt = call.services.clock.now() + 2 * TOLERANCE
  const row = { id: sha256(`${STATEMENT_TYPE}.${thumbprint}.${jti}`), expiresAt }
  await spendProof(call.services, { key: { thumbprint, publicKey }, row })
}
