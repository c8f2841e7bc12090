/**
 * Second factors that are entered in a wallet frame. What the session's key said opens a question; its id, which only the
 * frame knows, lets it send codes and answer until the question ends.
 */
import { mfaDeviceNotFound, mfaInvalidCode, tooManyRequests, tooManyVerificationAttempts } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { begin, type CeremonyKey, consume, peek } from '../accounts/ceremonies.js'
import { devicesOf, deviceView, mfaDeviceSchema } from '../accounts/user-view.js'
import type { Call } from '../http/call.js'
import {
  ApiError,
  invalidPasskey,
  invalidProof,
  originNotAllowed,
  sessionExpired,
  unauthorized,
} from '../http/errors.js'
import { code, id, time } from '../http/fields.js'
import { type Route, route } from '../http/route.js'
import { issueMfaToken, scope, type TokenScope } from '../mfa/demand.js'
import { answerChallenge, beginChallenge, findDevice } from '../mfa/factors.js'
import { spendStatement } from '../mfa/statement.js'
import type { ActiveSession } from '../security/access.js'

const LIFETIME = 10 * 60_000
const errors = [unauthorized, sessionExpired, originNotAllowed, invalidProof] as const

const openData = v.object({ ...scope, sessionId: v.string(), origin: v.string() })
const keyOf = (session: ActiveSession, id: string): CeremonyKey => ({
  id,
  kind: 'mfa-frame',
  thumbprint: session.thumbprint,
})

/** The question that this frame opened for this session. @throws ApiError `mfa_invalid_code` when there is none, or it ended */
const opened = async (
  call: Call,
  { session, origin }: { readonly session: ActiveSession; readonly origin: string },
  id: string,
): Promise<TokenScope> => {
  const data = v.safeParse(openData, (await peek(call, keyOf(session, id)))?.data)
  if (!data.success || data.output.sessionId !== session.id || data.output.origin !== origin)
    throw new ApiError(mfaInvalidCode)
  return data.output
}

const open = route(
  {
    method: 'POST',
    path: '/mfa/frame',
    tag: 'mfa',
    summary: 'From a wallet frame: opens the question for a second factor, with the session key’s statement for it.',
    access: 'frame',
    unfinished: true,
    body: v.strictObject({ ...scope, statement: v.pipe(v.string(), v.maxLength(4096)) }),
    status: 201,
    answer: v.object({
      id: v.string(),
      expiresAt: time,
      devices: v.array(mfaDeviceSchema),
      demanded: v.pipe(v.boolean(), v.description('whether the environment asks this person for one, for the action')),
    }),
    errors,
  },
  async call => {
    const { session, origin, body, services, environment } = call
    const { action, requestHash } = body
    await spendStatement(call, session, body)
    const data = { action, requestHash, sessionId: session.id, origin }
    const { userId, thumbprint } = session
    const { id, expiresAt } = await begin(call, { kind: 'mfa-frame', thumbprint, userId, lifetime: LIFETIME, data })
    const devices = (await devicesOf(services, userId)).map(deviceView)
    return { id, expiresAt, devices, demanded: devices.length > 0 && environment.mfa.actions.includes(action) }
  },
)

const challenge = route(
  {
    method: 'POST',
    path: '/mfa/frame/{id}/challenges',
    tag: 'mfa',
    summary:
      'Begins a challenge of an open question; sends the code of an email. Without a device, for a recovery code.',
    access: 'frame',
    unfinished: true,
    params: v.object({ id }),
    body: v.strictObject({ deviceId: v.optional(id) }),
    status: 201,
    answer: v.object({ challengeId: v.string(), expiresAt: time }),
    errors: [...errors, mfaInvalidCode, mfaDeviceNotFound, tooManyRequests],
  },
  async call => {
    const { session, params, body } = call
    const { action, requestHash } = await opened(call, call, params.id)
    const { userId, thumbprint } = session
    const device = body.deviceId === undefined ? undefined : await findDevice(call, userId, body.deviceId, true)
    // A passkey belongs to the page's domain; no other can ask for it.
    if (device?.method === 'passkey') throw new ApiError(mfaDeviceNotFound, { reason: 'passkey' })
    const purpose = { action, requestHash, sessionId: session.id, questionId: params.id }
    const { challengeId, expiresAt } = await beginChallenge(
      call,
      { kind: 'mfa-challenge', thumbprint, userId, purpose },
      device,
    )
    return { challengeId, expiresAt }
  },
)

const answer = route(
  {
    method: 'POST',
    path: '/mfa/frame/{id}/answer',
    tag: 'mfa',
    summary: 'Answers a challenge of an open question, and ends it; the token that comes serves once.',
    access: 'frame',
    unfinished: true,
    params: v.object({ id }),
    body: v.strictObject({
      challengeId: id,
      code: v.optional(v.pipe(code, v.description('of totp or email'))),
      recoveryCode: v.optional(v.pipe(v.string(), v.maxLength(32))),
    }),
    answer: v.object({ mfaToken: v.string(), expiresAt: time }),
    errors: [...errors, mfaInvalidCode, mfaDeviceNotFound, invalidPasskey, tooManyVerificationAttempts],
  },
  async call => {
    const { session, params, body } = call
    const { action, requestHash } = await opened(call, call, params.id)
    const key = { id: body.challengeId, kind: 'mfa-challenge', thumbprint: session.thumbprint } as const
    const begun = await peek(call, key)
    if (begun?.data.questionId !== params.id) throw new ApiError(mfaInvalidCode)
    await answerChallenge(call, key, body)
    if (!(await consume(call, keyOf(session, params.id)))) throw new ApiError(mfaInvalidCode)
    return issueMfaToken(call, session, { action, requestHash })
  },
)

export const mfaFrameRoutes: readonly Route[] = [open, challenge, answer]
