/** Completes every sign-in: a proved credential becomes a session, or a demand for a second factor. */
import { blockedUserCannotTransferWallet } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { Call, ProvedKey } from '../http/call.js'
import { ApiError, credentialNotFound, invalidPasskey, sessionExpired } from '../http/errors.js'
import { time } from '../http/fields.js'
import { recordEvent } from '../security-log/events.js'
import { assertNotBlocked } from './blocking.js'
import { begin } from './ceremonies.js'
import { findCredential, findOrCreateUser, type ProvedCredential, recordUse } from './credentials.js'
import { getDistinct } from './distinct.js'
import {
  beginSession,
  confirmSession,
  findOwnSession,
  type NewSession,
  type TokenStorage,
  tokensSchema,
} from './sessions.js'
import { deviceView, getDevices, mfaDeviceSchema, userSchema, viewUser } from './user-view.js'

const MFA_LIFETIME = 10 * 60_000

/** Responses that end a sign-in. */
const completed = [
  v.object({ status: v.literal('authenticated'), isNewUser: v.boolean(), user: userSchema, ...tokensSchema.entries }),
  v.object({
    status: v.pipe(v.literal('reauthenticated'), v.description('Confirms the session that the request named')),
    authTime: time,
  }),
] as const

export const completedSchema = v.variant('status', [...completed])
export const signInSchema = v.variant('status', [
  ...completed,
  v.object({
    status: v.literal('mfa-required'),
    pendingId: v.pipe(v.string(), v.description('For /auth/mfa')),
    expiresAt: time,
    devices: v.array(mfaDeviceSchema),
  }),
])
export type SignInAnswer = v.InferOutput<typeof signInSchema>

/** What the client wants from a sign-in. */
interface SignInRequest {
  readonly storage: TokenStorage
  /** Session to confirm, instead of beginning one. */
  readonly sessionId?: string | undefined
}
interface SignIn extends NewSession, SignInRequest {
  readonly isNewUser: boolean
}

/** @throws ApiError `session_expired` */
export async function completeSession(call: Call, signIn: SignIn): Promise<v.InferOutput<typeof completedSchema>> {
  const { sessionId, userId, isNewUser, method } = signIn
  if (sessionId !== undefined) return { status: 'reauthenticated', ...(await confirmSession(call, sessionId, signIn)) }
  const tokens = await beginSession(call, signIn)
  await call.services.db.transaction(tx =>
    recordEvent(call, tx, { userId, kind: 'new-device', detail: method, isQuiet: isNewUser }),
  )
  const user = await viewUser(call.services, call.environment, userId)
  return { status: 'authenticated', isNewUser, user, ...tokens }
}

/** Errors of requests that may confirm a session. */
export const signInErrors = [sessionExpired, credentialNotFound, blockedUserCannotTransferWallet] as const

const notLinked = {
  ...credentialNotFound,
  message: 'This sign-in method is not one of your account. Sign in with a method that you have added to it.',
}

type Keyed = Call & { readonly key: ProvedKey }

/** Finds the credential among those of the session's user. @throws ApiError `session_expired`, `credential_not_found` */
async function findOwnCredential(call: Keyed, proved: ProvedCredential, sessionId: string) {
  const { services, environment, key } = call
  const { userId } = await findOwnSession(call, sessionId, key)
  const known = await findCredential(services.db, environment.id, proved)
  if (known?.userId !== userId) throw new ApiError(notLinked)
  await recordUse(services.db, known, proved, services.clock.now())
  return { userId, credentialId: known.id, isNewUser: false }
}

/**
 * @param passkeyHandle user handle, when signing up with a passkey
 * @throws ApiError `invalid_passkey`, `session_expired`, `credential_not_found`
 */
export async function completeSignIn(
  call: Keyed,
  proved: ProvedCredential,
  { storage, sessionId }: SignInRequest,
  passkeyHandle?: string,
): Promise<SignInAnswer> {
  const { services, environment, key } = call
  const { userId, credentialId, isNewUser } =
    sessionId === undefined
      ? await findOrCreateUser(
          services.db,
          { environmentId: environment.id, now: services.clock.now() },
          proved,
          passkeyHandle,
        )
      : await findOwnCredential(call, proved, sessionId)
  await assertNotBlocked(services.db, userId)
  // A new passkey has no attestation, so it must not be accepted as a passkey that a user already has.
  if (passkeyHandle !== undefined && !isNewUser) throw new ApiError(invalidPasskey)
  const data = { method: proved.method, credentialId, storage, sessionId }
  const devices = environment.mfa.atSignIn && !isNewUser ? await getDevices(services, userId) : []
  if (devices.length === 0) return completeSession(call, { ...data, userId, isNewUser, hasSecondFactor: false, key })
  const { thumbprint } = key
  const pending = await begin(call, { kind: 'mfa-sign-in', thumbprint, userId, lifetime: MFA_LIFETIME, data })
  return {
    status: 'mfa-required',
    pendingId: pending.id,
    expiresAt: pending.expiresAt,
    devices: (await getDistinct(services.db, devices, credentialId)).map(deviceView),
  }
}
