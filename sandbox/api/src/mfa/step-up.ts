/**
 * Step-up: what can take an account over, or lose its keys, needs a sign-in at most 5 minutes old or a second factor, so
 * that a stolen session alone, or a script in the page, cannot do it.
 */
import type { MfaAction } from '@keybay/kernel/spec'
import type { ActiveSession, Call } from '../http/call.js'
import { ApiError, reauthenticationRequired } from '../http/errors.js'
import type { Operation } from '../http/route.js'
import { demandMfa, describeDemand, redeemForCall } from './demand.js'

/** Maximum age of the sign-in, in seconds. */
const MAX_AGE_SECONDS = 5 * 60

/** Every operation that needs a step-up, with the action that a second factor for it proves. Backups: `frame-keys.ts`. */
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
}

type Exemption = (call: Call, session: ActiveSession, params: Operation['params']) => Promise<boolean> | boolean

/** Calls of the operations above that need no step-up. */
const EXEMPTIONS: Readonly<Record<string, Exemption>> = {
  'DELETE /sessions/{id}': (_call, session, { id }) => id === session.id,
}

function isRecent({ services }: Call, { authTime }: ActiveSession): boolean {
  // A sign-in in the future comes from a wrong clock, so it proves nothing.
  return Math.abs(services.clock.now() - authTime) <= MAX_AGE_SECONDS * 1000
}

/**
 * Requires a recent sign-in, or a second factor for this request, even from users without a second factor.
 * @throws ApiError `reauthentication_required`
 */
export async function demandRecentSignIn(call: Call, session: ActiveSession, action: MfaAction): Promise<void> {
  if (isRecent(call, session) || (await redeemForCall(call, session, action))) return
  throw await staleSignIn(call, session, action)
}

/** Creates the error `reauthentication_required` for a request. */
export async function staleSignIn(call: Call, session: ActiveSession, action: MfaAction): Promise<ApiError> {
  const demand = await describeDemand(call, session, action)
  return new ApiError(reauthenticationRequired, { maxAgeSeconds: MAX_AGE_SECONDS, ...demand })
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
