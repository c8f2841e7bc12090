/** MFA tokens. Each proves a second factor once, for one action and one request. */
import { MFA_ACTIONS, type MfaAction, mfaDeviceNotFound } from '@keybay/kernel/spec'
import { and, eq, gt, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { getDistinct, getFirstFactor } from '../accounts/distinct.js'
import { deviceView, getDevices } from '../accounts/user-view.js'
import { mfaTokens } from '../db/schema.js'
import type { ActiveSession, Call } from '../http/call.js'
import { ApiError, mfaRequired } from '../http/errors.js'
import { randomToken, sha256 } from '../security/hashes.js'
import { getIssuer } from '../security/tokens.js'
import type { Proof } from './factors.js'

const LIFETIME = 5 * 60_000

export interface TokenScope {
  readonly action: MfaAction
  /** SHA-256 of the request, base64url; for a call of this API, of {@link requestHash}'s text. */
  readonly requestHash: string
}

export const scope = {
  action: v.picklist(MFA_ACTIONS),
  requestHash: v.pipe(v.string(), v.regex(/^[\w-]{43}$/), v.description('base64url SHA-256')),
}

/** Returns the base64url SHA-256 of method, path and body, one per line. */
function requestHash({ method, path, rawBody }: Pick<Call, 'method' | 'path' | 'rawBody'>): string {
  return sha256(`${method}\n${path}\n${rawBody}`)
}

export async function issueMfaToken(
  { services, environment }: Call,
  session: ActiveSession,
  { action, requestHash }: TokenScope,
  { credentialId }: Proof = {},
): Promise<{ mfaToken: string; expiresAt: number }> {
  // A quarter of random texts has no sign by which a log could tell them from an address, and hide them.
  const mfaToken = `mfa_${randomToken()}`
  const expiresAt = services.clock.now() + LIFETIME
  await services.db
    .insert(mfaTokens)
    .values({
      hash: sha256(mfaToken),
      environmentId: environment.id,
      userId: session.userId,
      sessionId: session.id,
      action,
      requestHash,
      credentialId: credentialId ?? null,
      expiresAt,
    })
  return { mfaToken, expiresAt }
}

export interface Redeemed {
  readonly userId: string
  readonly sessionId: string
  /** Page's passkey that proved the second factor. */
  readonly credentialId: string | null
}

/** Uses the token up; returns undefined if the token was not issued for exactly this scope. */
export async function redeemMfaToken(
  { services, environment }: Call,
  token: string,
  { action, requestHash }: TokenScope,
  sessionId?: string,
): Promise<Redeemed | undefined> {
  const now = services.clock.now()
  const [row] = await services.db
    .update(mfaTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(mfaTokens.hash, sha256(token)),
        eq(mfaTokens.environmentId, environment.id),
        eq(mfaTokens.action, action),
        eq(mfaTokens.requestHash, requestHash),
        isNull(mfaTokens.usedAt),
        gt(mfaTokens.expiresAt, now),
        ...(sessionId === undefined ? [] : [eq(mfaTokens.sessionId, sessionId)]),
      ),
    )
    .returning()
  return row && { userId: row.userId, sessionId: row.sessionId, credentialId: row.credentialId }
}

/** Lifetime of a receipt, in seconds; it is passed on within the request that carried the token. */
const RECEIPT_LIFETIME = 60

/**
 * Returns a signed receipt for a token that was just used up. It names the token by its hash, so it is accepted once.
 */
export function getReceipt(
  { services, environment }: Call,
  token: string,
  { action, requestHash }: TokenScope,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): string {
  const iat = Math.floor(services.clock.now() / 1000)
  const who = { iss: getIssuer(services, environment), aud: environment.id, sub: userId, sid: sessionId }
  const what = { action, rh: requestHash, jti: sha256(token) }
  return services.keys
    .forEnvironment(environment.id)
    .signMfaReceipt({ ...who, ...what, iat, exp: iat + RECEIPT_LIFETIME })
}

/** Returns what a second factor for this request must prove, and the devices that can. */
export async function describeDemand(call: Call, session: ActiveSession, action: MfaAction) {
  const first = getFirstFactor(session)
  const devices = await getDistinct(call.services.db, await getDevices(call.services, session.userId), first)
  return { action, requestHash: requestHash(call), devices: devices.map(deviceView) }
}

/** Uses up the token that the request carries for itself; returns undefined without a valid one. */
export async function redeemForCall(
  call: Call,
  session: ActiveSession,
  action: MfaAction,
): Promise<Redeemed | undefined> {
  const token = call.header('x-keybay-mfa-token')
  return token === undefined
    ? undefined
    : redeemMfaToken(call, token, { action, requestHash: requestHash(call) }, session.id)
}

/**
 * Requires a second factor if the user has one and the environment demands it.
 * @returns true if the request proved one
 * @throws ApiError `mfa_required`
 */
export async function demandMfa(call: Call, session: ActiveSession, action: MfaAction): Promise<boolean> {
  if (!call.environment.mfa.actions.includes(action)) return false
  if ((await getDevices(call.services, session.userId)).length === 0) return false
  if (await redeemForCall(call, session, action)) return true
  throw new ApiError(mfaRequired, await describeDemand(call, session, action))
}

/**
 * Requires a passkey of the page, whatever the environment demands; returns its credential.
 * @throws ApiError `mfa_required`, `mfa_device_not_found`
 */
export async function demandPasskey(call: Call, session: ActiveSession, action: MfaAction): Promise<string> {
  const devices = (await getDevices(call.services, session.userId)).filter(({ method }) => method === 'passkey')
  if (devices.length === 0) throw new ApiError(mfaDeviceNotFound)
  const redeemed = await redeemForCall(call, session, action)
  if (!redeemed?.credentialId)
    throw new ApiError(mfaRequired, { action, requestHash: requestHash(call), devices: devices.map(deviceView) })
  return redeemed.credentialId
}
