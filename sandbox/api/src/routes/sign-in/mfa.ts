/** Checks the second factor of a sign-in. */
import {
  AUTHENTICATION_METHODS,
  blockedUserCannotTransferWallet,
  mfaDeviceNotFound,
  mfaInvalidCode,
  tooManyRequests,
  tooManyVerificationAttempts,
} from '@keybay/kernel/spec'
import * as v from 'valibot'
import { consume, peek } from '../../accounts/ceremonies.js'
import { completedSchema, completeSession } from '../../accounts/sign-in.js'
import type { Call } from '../../http/call.js'
import { ApiError, invalidPasskey, sessionExpired } from '../../http/errors.js'
import { id } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import { answerChallenge, beginChallenge, challengeSchema, factorAnswer, findDevice } from '../../mfa/factors.js'

const route = routesOf('sign-in')

const pendingData = v.object({
  method: v.picklist(AUTHENTICATION_METHODS),
  credentialId: v.string(),
  storage: v.picklist(['body', 'cookie']),
  sessionId: v.optional(v.string()),
})

/** @throws ApiError `mfa_invalid_code` when no sign-in is pending under this ID for this key */
async function getPending(
  call: Call,
  pendingId: string,
  thumbprint: string,
): Promise<{ userId: string; first: string }> {
  const pending = await peek(call, { id: pendingId, kind: 'mfa-sign-in', thumbprint })
  const data = v.safeParse(pendingData, pending?.data)
  if (!pending?.userId || !data.success) throw new ApiError(mfaInvalidCode)
  return { userId: pending.userId, first: data.output.credentialId }
}

const mfaChallenge = route('POST /auth/mfa/challenge', {
  summary: 'Begins the second factor of a sign-in. Without a device, for a recovery code.',
  access: 'key',
  body: v.strictObject({ pendingId: id, deviceId: v.optional(id) }),
  status: 201,
  answer: challengeSchema,
  errors: [mfaInvalidCode, mfaDeviceNotFound, tooManyRequests],
  async run(call) {
    const { userId, first } = await getPending(call, call.body.pendingId, call.key.thumbprint)
    const { deviceId } = call.body
    const device = deviceId === undefined ? undefined : await findDevice(call, userId, deviceId, true)
    const purpose = { pendingId: call.body.pendingId }
    const { thumbprint } = call.key
    return beginChallenge(call, { kind: 'mfa-challenge', thumbprint, userId, purpose, first }, device)
  },
})

const mfa = route('POST /auth/mfa', {
  summary: 'Ends a sign-in with its second factor.',
  access: 'key',
  body: v.strictObject({ pendingId: id, challengeId: id, ...factorAnswer }),
  answer: completedSchema,
  errors: [
    blockedUserCannotTransferWallet,
    mfaInvalidCode,
    mfaDeviceNotFound,
    invalidPasskey,
    tooManyVerificationAttempts,
    sessionExpired,
  ],
  async run(call) {
    const { key, body } = call
    const { thumbprint } = key
    await getPending(call, body.pendingId, thumbprint)
    const challenge = await answerChallenge(call, { id: body.challengeId, kind: 'mfa-challenge', thumbprint }, body)
    if (challenge.data.pendingId !== body.pendingId) throw new ApiError(mfaInvalidCode)
    const pending = await consume(call, { id: body.pendingId, kind: 'mfa-sign-in', thumbprint })
    const parsed = v.safeParse(pendingData, pending?.data)
    if (!pending?.userId || !parsed.success) throw new ApiError(mfaInvalidCode)
    const proved = { ...parsed.output, userId: pending.userId, hasSecondFactor: true }
    return completeSession(call, { ...proved, key })
  },
})

export const secondFactorRoutes: readonly Route[] = [mfaChallenge, mfa]
