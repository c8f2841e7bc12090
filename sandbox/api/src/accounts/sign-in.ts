/** Completes every sign-in: a proved credential becomes a session, or a demand for a second factor. */
import * as v from 'valibot'
import type { Call, ProvedKey } from '../http/call.js'
import { ApiError, invalidPasskey } from '../http/errors.js'
import { time } from '../http/fields.js'
import { recordEvent } from '../security-log/events.js'
import { begin } from './ceremonies.js'
import { findOrCreateUser, type ProvedCredential } from './credentials.js'
import { beginSession, type NewSession, type TokenStorage, tokensSchema } from './sessions.js'
import { deviceView, getDevices, mfaDeviceSchema, userSchema, viewUser } from './user-view.js'

const MFA_LIFETIME = 10 * 60_000

export const authenticatedSchema = v.object({
  status: v.literal('authenticated'),
  isNewUser: v.boolean(),
  user: userSchema,
  ...tokensSchema.entries,
})

export const signInSchema = v.variant('status', [
  authenticatedSchema,
  v.object({
    status: v.literal('mfa-required'),
    pendingId: v.pipe(v.string(), v.description('For /auth/mfa')),
    expiresAt: time,
    devices: v.array(mfaDeviceSchema),
  }),
])
export type SignInAnswer = v.InferOutput<typeof signInSchema>

interface SignIn extends NewSession {
  readonly isNewUser: boolean
}

export async function authenticated(call: Call, signIn: SignIn): Promise<v.InferOutput<typeof authenticatedSchema>> {
  const tokens = await beginSession(call, signIn)
  const { userId, isNewUser, method } = signIn
  await call.services.db.transaction(tx =>
    recordEvent(call, tx, { userId, kind: 'new-device', detail: method, isQuiet: isNewUser }),
  )
  const user = await viewUser(call.services, call.environment, signIn.userId)
  return { status: 'authenticated', isNewUser: signIn.isNewUser, user, ...tokens }
}

/** @param passkeyHandle user handle, when signing up with a passkey @throws ApiError `invalid_passkey` */
export async function completeSignIn(
  call: Call & { readonly key: ProvedKey },
  proved: ProvedCredential,
  storage: TokenStorage,
  passkeyHandle?: string,
): Promise<SignInAnswer> {
  const { services, environment, key } = call
  const owner = { environmentId: environment.id, now: services.clock.now() }
  const { userId, isNewUser } = await findOrCreateUser(services.db, owner, proved, passkeyHandle)
  // A new passkey has no attestation, so it must not be accepted as a passkey that a user already has.
  if (passkeyHandle !== undefined && !isNewUser) throw new ApiError(invalidPasskey)
  const devices = environment.mfa.atSignIn && !isNewUser ? await getDevices(services, userId) : []
  if (devices.length === 0) {
    return authenticated(call, { userId, isNewUser, method: proved.method, key, storage })
  }
  const pending = await begin(call, {
    kind: 'mfa-sign-in',
    thumbprint: key.thumbprint,
    userId,
    lifetime: MFA_LIFETIME,
    data: { method: proved.method, storage },
  })
  return {
    status: 'mfa-required',
    pendingId: pending.id,
    expiresAt: pending.expiresAt,
    devices: devices.map(deviceView),
  }
}
