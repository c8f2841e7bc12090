/** Completes every sign-in: a proved credential becomes a session, or a demand for a second factor. */
import { blockedUserCannotTransferWallet } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { ActiveSession, Call, ProvedKey } from '../http/call.js'
import { ApiError, credentialNotFound, invalidPasskey, sessionExpired } from '../http/errors.js'
import { time } from '../http/fields.js'
import { recordEvent } from '../security-log/events.js'
import { assertNotBlocked } from './blocking.js'
import { begin } from './ceremonies.js'
import { createUser, findCredential, type ProvedCredential, recordUse } from './credentials.js'
import { getDistinct } from './distinct.js'
import { type KnownUser, signInKnownUser } from './known-user.js'
import {
  beginSession,
  confirmSession,
  findOwnSession,
  getTokens,
  type NewSession,
  startSession,
  type TokenStorage,
  tokensSchema,
} from './sessions.js'
import { deviceView, getDevices, mfaDeviceSchema, type UserView, userSchema, userView, viewUser } from './user-view.js'

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

/** Parameters of a sign-in. */
interface SignInRequest {
  readonly storage: TokenStorage
  /** Session to confirm, instead of beginning one. */
  readonly sessionId?: string | undefined
  /** Text that names the proved address in rate limits, if the credential is one. */
  readonly recipient?: string | undefined
  /** User whom the proof has signed in already; null if no user has the credential. */
  readonly known?: KnownUser | null
}
interface SignIn extends NewSession, SignInRequest {}

type Completed = v.InferOutput<typeof completedSchema>

/** Completes a sign-in that proved a second factor. @throws ApiError `session_expired`, `blocked_user_cannot_transfer_wallet` */
export async function completeSession(call: Call, signIn: SignIn): Promise<Completed> {
  const { sessionId } = signIn
  if (sessionId !== undefined) return { status: 'reauthenticated', ...(await confirmSession(call, sessionId, signIn)) }
  const session = await beginSession(call, signIn)
  const user = await viewUser(call.services, call.environment, signIn.userId)
  return complete(call, session, { user, isNewUser: false, isKnownDevice: false })
}

interface SignedIn {
  readonly user: UserView
  readonly isNewUser: boolean
  /** True if the security log is known to have this device of the user. */
  readonly isKnownDevice: boolean
}

async function complete(call: Call, session: ActiveSession, signedIn: SignedIn): Promise<Completed> {
  const { user, isNewUser, isKnownDevice } = signedIn
  const { id: sessionId, userId, method } = session
  call.note({ userId, sessionId })
  if (!isKnownDevice)
    await call.services.db.transaction(tx =>
      recordEvent(call, tx, { userId, kind: 'new-device', detail: method, isQuiet: isNewUser }),
    )
  return { status: 'authenticated', isNewUser, user, ...getTokens(call, session) }
}

/** Errors of requests that may confirm a session. */
export const signInErrors = [sessionExpired, credentialNotFound, blockedUserCannotTransferWallet] as const

const notLinked = {
  ...credentialNotFound,
  message: 'This sign-in method is not one of your account. Sign in with a method that you have added to it.',
}

type Keyed = Call & { readonly key: ProvedKey }

/**
 * Finds the credential among those of the session's user, and records its use.
 * @throws ApiError `session_expired`, `credential_not_found`, `blocked_user_cannot_transfer_wallet`
 */
async function findOwnCredential(call: Keyed, proved: ProvedCredential, sessionId: string) {
  const { services, environment, key } = call
  const { userId } = await findOwnSession(call, sessionId, key)
  const known = await findCredential(services.db, environment.id, proved)
  if (known?.userId !== userId) throw new ApiError(notLinked)
  await recordUse(services.db, known, proved, services.clock.now())
  await assertNotBlocked(services.db, userId)
  return { userId, credentialId: known.id }
}

/** Demands a second factor of the user's before the sign-in ends. */
async function demandFactor(
  { services, environment, key }: Keyed,
  { userId, ...data }: Omit<SignIn, 'hasSecondFactor' | 'key'>,
  devices: Awaited<ReturnType<typeof getDevices>>,
): Promise<SignInAnswer> {
  const pending = await begin(
    { services, environment },
    { kind: 'mfa-sign-in', thumbprint: key.thumbprint, userId, lifetime: MFA_LIFETIME, data },
  )
  return {
    status: 'mfa-required',
    pendingId: pending.id,
    expiresAt: pending.expiresAt,
    devices: (await getDistinct(services.db, devices, data.credentialId)).map(deviceView),
  }
}

/** Confirms a session with a credential of its user. */
async function reauthenticate(
  call: Keyed,
  proved: ProvedCredential,
  { storage, recipient, sessionId }: SignInRequest & { readonly sessionId: string },
): Promise<SignInAnswer> {
  const { services, environment, key } = call
  if (recipient !== undefined) await services.limits.remember(call, recipient)
  const ownCredential = await findOwnCredential(call, proved, sessionId)
  const signIn = { ...ownCredential, method: proved.method, storage, sessionId }
  const devices = environment.mfa.atSignIn ? await getDevices(services, ownCredential.userId) : []
  if (devices.length > 0) return demandFactor(call, signIn, devices)
  return completeSession(call, { ...signIn, hasSecondFactor: false, key })
}

/** Signs in the user who has the credential, or a new one. @throws ApiError `invalid_passkey` */
async function findOrCreateUser(
  call: Keyed,
  proved: ProvedCredential,
  { storage, recipient, known: first }: SignInRequest,
  passkeyHandle: string | undefined,
): Promise<KnownUser & { readonly isNewUser: boolean }> {
  if (first) return { ...first, isNewUser: false }
  const { services, environment, key } = call
  const start = startSession(call, { method: proved.method, hasSecondFactor: false, key, storage })
  const mark = recipient === undefined ? undefined : services.limits.getMark(call, recipient)
  const create = () =>
    createUser(services.db, { environmentId: environment.id, now: start.createdAt }, proved, passkeyHandle)
  // A new passkey has no attestation, so it must not be accepted as a passkey that a user already has.
  let isNewUser = (passkeyHandle !== undefined || first === null) && (await create())
  if (passkeyHandle !== undefined && !isNewUser) throw new ApiError(invalidPasskey)
  for (;;) {
    const known = await signInKnownUser(call, proved, start, mark)
    if (known) return { ...known, isNewUser }
    isNewUser = await create()
  }
}

/**
 * @param passkeyHandle user handle, when signing up with a passkey
 * @throws ApiError `invalid_passkey`, `session_expired`, `credential_not_found`, `blocked_user_cannot_transfer_wallet`
 */
export async function completeSignIn(
  call: Keyed,
  proved: ProvedCredential,
  request: SignInRequest,
  passkeyHandle?: string,
): Promise<SignInAnswer> {
  const { storage, sessionId } = request
  if (sessionId !== undefined) return reauthenticate(call, proved, { ...request, sessionId })
  const { session, isBlocked, userId, credentialId, user, ...novelty } = await findOrCreateUser(
    call,
    proved,
    request,
    passkeyHandle,
  )
  if (isBlocked) throw new ApiError(blockedUserCannotTransferWallet)
  if (session) return complete(call, session, { user: userView(call.environment, user), ...novelty })
  const devices = await getDevices(call.services, userId)
  return demandFactor(call, { userId, credentialId, method: proved.method, storage }, devices)
}
