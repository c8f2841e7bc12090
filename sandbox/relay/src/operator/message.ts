/** Messages of the operator about one user, signed with a key of the product API, whose tokens this relay trusts too. */
import * as v from 'valibot'
import { isSignedBy, readJws } from '../authority/jws.js'
import { getKey } from '../crypto/jwk.js'
import { nonces } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import type { Head } from '../http/route.js'

const TYP = 'keybay-operator+jwt'
/** Maximum difference between the clocks of the API and this relay, in ms. */
const TOLERANCE_MS = 60_000

const claimsSchema = v.object({
  aud: v.string(),
  op: v.picklist(['block', 'unblock', 'erase', 'export']),
  sub: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  jti: v.pipe(v.string(), v.uuid()),
  iat: v.number(),
})
export type OperatorMessage = Pick<v.InferOutput<typeof claimsSchema>, 'op' | 'sub'>

/** Accepts each message once. @throws RelayError `unauthorized`, `api_unavailable` */
export async function readOperatorMessage({ services, environment }: Head, text: string): Promise<OperatorMessage> {
  const jws = readJws(text, TYP)
  const parsed = v.safeParse(claimsSchema, jws?.claims)
  const kid = jws?.header.kid
  if (!jws || !parsed.success || typeof kid !== 'string') throw new RelayError('unauthorized')
  const jwk = await services.api.key(environment, kid)
  const key = jwk && getKey(jwk)
  const { aud, op, sub, jti, iat } = parsed.output
  const now = services.clock.now()
  if (!key || !isSignedBy(jws, key) || aud !== `relay ${environment.id}`) throw new RelayError('unauthorized')
  if (Math.abs(iat * 1000 - now) > TOLERANCE_MS) throw new RelayError('unauthorized')
  const [fresh] = await services.db
    .insert(nonces)
    .values({ id: `operator ${jti}`, expiresAt: now + 3 * TOLERANCE_MS })
    .onConflictDoNothing()
    .returning()
  if (!fresh) throw new RelayError('unauthorized')
  return { op, sub }
}
