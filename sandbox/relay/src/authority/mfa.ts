/**
 * Second factors: required from users who have a factor, where
 * the environment says so. A token covers a single request.
 */
import { MFA_ACTIONS, type MfaAction } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { getKey, sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import { takeNonce } from '../store/sets.js'
import type { MfaScope } from './api.js'
import { isSignedBy, readJws } from './jws.js'
import type { Operation, TokenFacts } from './session.js'

/** Returns the hash that an MFA token is bound to. */
function requestHashOf({ op, address = '', hash }: Operation): string {
  return sha256(JSON.stringify([op, address, hash]))
}

type Caller = Pick<TokenFacts, 'sessionId' | 'userId'>

/** Returns the actions that require a second factor of this user. */
export async function listDemanded(
  { services, environment }: Call,
  { token }: Pick<TokenFacts, 'token'>,
): Promise<readonly MfaAction[]> {
  const [settings, devices] = await Promise.all([
    services.api.settings(environment),
    services.api.devices(environment, token),
  ])
  return devices.length === 0 ? [] : settings.mfa.actions
}

/** Second factor that a call has proved, so that a repeated decision needs no new proof. */
export interface ProvedFactor {
  readonly scope: MfaScope
  readonly receipt: string
}

/**
 * R1 redeems the token at the API, which returns a receipt. R2 does not trust R1:
 * it verifies the API's signature on the receipt, and accepts each receipt once
 * by its own records. Returns the receipt when a factor was required and proved.
 *
 * @param always requires a factor even from users without any, who are then refused
 * @throws RelayError `mfa_required`, `api_unavailable`
 */
export async function demandMfa(
  call: Call,
  { token, sessionId, userId }: TokenFacts,
  action: MfaAction,
  operation: Operation,
  always = false,
): Promise<string | undefined> {
  const { services, environment, fromPeer, checked } = call
  const settings = await services.api.settings(environment)
  if (!always && !settings.mfa.actions.includes(action)) return undefined
  const devices = await services.api.devices(environment, token)
  if (!always && devices.length === 0) return undefined
  const scope = { action, requestHash: requestHashOf(operation) }
  const before = checked.factor
  if (before?.scope.action === action && before.scope.requestHash === scope.requestHash) return before.receipt
  const caller = { sessionId, userId }
  const receipt = fromPeer ? await takeReceipt(call, fromPeer.mfa, scope, caller) : await redeem(call, scope, caller)
  if (receipt === undefined) throw new RelayError('mfa_required', { ...scope, devices })
  checked.factor = { scope, receipt }
  return receipt
}

async function redeem(call: Call, scope: MfaScope, { sessionId, userId }: Caller): Promise<string | undefined> {
  const mfaToken = call.header('x-keybay-mfa-token')
  if (mfaToken === undefined || mfaToken.length > 64) return undefined
  const redeemed = await call.services.api.redeem(call, mfaToken, scope)
  return redeemed?.sessionId === sessionId && redeemed.userId === userId ? redeemed.receipt : undefined
}

const receiptClaims = v.object({
  iss: v.string(),
  aud: v.string(),
  sub: v.string(),
  sid: v.string(),
  action: v.picklist(MFA_ACTIONS),
  rh: v.string(),
  jti: v.pipe(v.string(), v.minLength(16), v.maxLength(128)),
  iat: v.number(),
  exp: v.number(),
})
/** Maximum clock difference from the API, in ms. */
const TOLERANCE = 60_000

/** Returns the receipt if the API signed it for exactly this operation and it was not used before. */
async function takeReceipt(
  { services, environment }: Call,
  receipt: string | undefined,
  { action, requestHash }: MfaScope,
  { sessionId, userId }: Caller,
): Promise<string | undefined> {
  const jws = readJws(receipt, 'keybay-mfa+jwt')
  const parsed = v.safeParse(receiptClaims, jws?.claims)
  if (!jws || !parsed.success || typeof jws.header.kid !== 'string') return undefined
  const { iss, aud, sub, sid, action: proven, rh, jti, iat, exp } = parsed.output
  if (iss !== environment.issuer || aud !== environment.id || sub !== userId || sid !== sessionId) return undefined
  if (proven !== action || rh !== requestHash) return undefined
  const now = services.clock.now()
  const until = exp * 1000 + TOLERANCE
  if (iat * 1000 > now + TOLERANCE || until <= now) return undefined
  const jwk = await services.api.key(environment, jws.header.kid)
  const key = jwk && getKey(jwk)
  if (!key || !isSignedBy(jws, key)) return undefined
  const used = { id: sha256(`mfa ${environment.id} ${jti}`), expiresAt: until }
  return (await takeNonce(services.db, used)) ? receipt : undefined
}
