/**
 * Step-up: what can take an account over, or lose its keys, needs a sign-in at most 5 minutes old or a second factor, so
 * that a stolen session alone, or a script in the page, cannot do it.
 */
import type { MfaAction } from '@keybay/kernel/spec'
import { and, eq, gt } from 'drizzle-orm'
import { backups } from '../db/schema.js'
import type { ActiveSession, Call } from '../http/call.js'
import { ApiError, reauthenticationRequired } from '../http/errors.js'
import type { Operation } from '../http/route.js'
import { demandMfa, describeDemand, redeemForCall } from './demand.js'

/** Maximum age of the sign-in, in seconds. */
const MAX_AGE_SECONDS = 5 * 60
/** Time in which a session may read back what it uploaded, in ms. A ceremony waits for its user in between. */
const CEREMONY_MS = 15 * 60_000

/** Every operation that needs a step-up, with the action that a second factor for it proves. */
export const STEP_UPS: Readonly<Record<string, MfaAction>> = {
  'POST /users/me/credentials/wallet': 'user.update',
  // Before a code is sent too, so that the user signs in again before waiting for the code.
  'POST /users/me/credentials/email': 'user.update',
  'POST /users/me/credentials/phone': 'user.update',
  'POST /users/me/credentials/email/verify': 'user.update',
  'POST /users/me/credentials/phone/verify': 'user.update',
  'POST /users/me/credentials/external': 'user.update',
  'POST /users/me/passkeys': 'user.update',
  'POST /social/{provider}/link': 'user.update',
  'DELETE /users/me/credentials/{id}': 'user.update',
  'DELETE /social/{provider}': 'user.update',
  'POST /users/me/merge': 'user.update',
  'DELETE /users/me': 'user.update',
  'POST /users/me/export': 'user.update',
  'POST /mfa/devices': 'user.update',
  'DELETE /mfa/devices/{id}': 'user.update',
  'POST /mfa/recovery-codes': 'user.update',
  'DELETE /sessions/{id}': 'user.update',
  'DELETE /sessions': 'user.update',
  'POST /auth/sign-out-everywhere': 'user.update',
  'POST /custody': 'user.update',
  'POST /custody/recovery': 'user.update',
  'GET /backups/{walletId}/{backupId}': 'wallet.waas.reshare',
  'DELETE /backups/{walletId}/{backupId}': 'wallet.waas.reshare',
}

type Exemption = (call: Call, session: ActiveSession, params: Operation['params']) => Promise<boolean> | boolean

/** Calls of the operations above that need no step-up. */
const EXEMPTIONS: Readonly<Record<string, Exemption>> = {
  'DELETE /sessions/{id}': (_call, session, { id }) => id === session.id,
  'GET /backups/{walletId}/{backupId}': async ({ services }, session, { backupId }) => {
    if (typeof backupId !== 'string') return false
    const own = and(
      eq(backups.id, backupId),
      eq(backups.sessionId, session.id),
      gt(backups.createdAt, services.clock.now() - CEREMONY_MS),
    )
    return (await services.db.$count(backups, own)) > 0
  },
}

function isRecent({ services }: Call, { authTime }: ActiveSession): boolean {
  // A sign-in in the future comes from a wrong clock, so it proves nothing.
  return Math.abs(services.clock.now() - authTime) <= MAX_AGE_SECONDS * 1000
}

/**
 * Requires a recent sign-in, or a second factor for this request, even from users without a second factor.
 * @throws ApiError `reauthentication_required`
 */
async function demandRecentSignIn(call: Call, session: ActiveSession, action: MfaAction): Promise<void> {
  if (isRecent(call, session) || (await redeemForCall(call, session, action))) return
  const demand = await describeDemand(call, session, action)
  throw new ApiError(reauthenticationRequired, { maxAgeSeconds: MAX_AGE_SECONDS, ...demand })
}

/**
 * Requires the second factor that the environment demands for the action; where it demands none, a recent sign-in.
 * @throws ApiError `mfa_required`, `reauthentication_required`
 */
export async function demandStepUp(call: Call, session: ActiveSession, action: MfaAction): Promise<void> {
  if (!(await demandMfa(call, session, action))) await demandRecentSignIn(call, session, action)
}

/** Requires what an operation demands beyond its access. @throws ApiError `mfa_required`, `reauthentication_required` */
export async function authorize(call: Call, session: ActiveSession, operation: Operation): Promise<void> {
  const { method, path, mfa, params } = operation
  const name = `${method} ${path}`
  const hasProved = mfa !== undefined && (await demandMfa(call, session, mfa))
  const action = STEP_UPS[name]
  if (hasProved || action === undefined || (await EXEMPTIONS[name]?.(call, session, params))) return
  await demandRecentSignIn(call, session, action)
}
