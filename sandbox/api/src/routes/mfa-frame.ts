/**
 * Routes for second factors that the user enters in a wallet frame. The session key's statement opens a step-up; its
 * ID, known only to the frame, allows sending codes and answering challenges until the step-up ends.
 */
import { mfaDeviceNotFound, mfaInvalidCode, tooManyRequests, tooManyVerificationAttempts } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { begin, consume, peek } from '../accounts/ceremonies.js'
import { getDistinct, getFirstFactor } from '../accounts/distinct.js'
import { deviceView, getDevices, mfaDeviceSchema } from '../accounts/user-view.js'
import { ApiError, invalidPasskey, invalidProof } from '../http/errors.js'
import { id, time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { issueMfaToken, scope } from '../mfa/demand.js'
import { answerChallenge, beginChallenge, challengeSchema, factorAnswer, findDevice } from '../mfa/factors.js'
import { keepFrameKey } from '../mfa/frame-keys.js'
import { getFramePasskeys } from '../mfa/frame-passkeys.js'
import { opened, questionKey } from '../mfa/question.js'
import { spendStatement } from '../mfa/statement.js'
import { proveKey } from '../security/proof.js'
import { offerEnrolment } from './frame-passkeys.js'

const route = routesOf('mfa')

const LIFETIME = 10 * 60_000

const open = route('POST /mfa/frame', {
  summary:
    'From a wallet frame: opens the question for a second factor, with the session key’s statement for it. A proof by the frame’s own key (`DPoP`) registers that key once the question is answered.',
  access: 'frame',
  unfinished: true,
  body: v.strictObject({ ...scope, statement: v.pipe(v.string(), v.maxLength(4096)) }),
  status: 201,
  answer: v.object({
    id: v.string(),
    expiresAt: time,
    devices: v.array(mfaDeviceSchema),
    demanded: v.pipe(v.boolean(), v.description('whether the environment asks this user for one, for the action')),
    passkey: v.pipe(v.boolean(), v.description('whether the user has a passkey of this frame’s own host')),
  }),
  errors: [invalidProof],
  async run(call) {
    const { session, origin, body, services, environment } = call
    const { action, requestHash } = body
    // First, so that a frame whose clock is wrong can repeat the request with the same statement.
    const frameKey = call.header('dpop') === undefined ? undefined : (await proveKey(call)).thumbprint
    await spendStatement(call, session, body)
    const data = { action, requestHash, sessionId: session.id, origin, frameKey }
    const { userId, thumbprint } = session
    const { id, expiresAt } = await begin(call, { kind: 'mfa-frame', thumbprint, userId, lifetime: LIFETIME, data })
    const all = await getDevices(services, userId)
    const first = getFirstFactor(session)
    const devices = (await getDistinct(services.db, all, first)).map(deviceView)
    const passkey = (await getFramePasskeys(call, { userId, origin })).length > 0
    const demanded = all.length > 0 && environment.mfa.actions.includes(action)
    return { id, expiresAt, devices, passkey, demanded }
  },
})

const challenge = route('POST /mfa/frame/{id}/challenges', {
  summary:
    'Begins a challenge of an open question; sends the code of an email, makes the options of the frame’s own passkey. Without either, for a recovery code.',
  access: 'frame',
  unfinished: true,
  params: v.object({ id }),
  body: v.strictObject({ deviceId: v.optional(id), passkey: v.optional(v.literal(true)) }),
  status: 201,
  answer: challengeSchema,
  errors: [invalidProof, mfaInvalidCode, mfaDeviceNotFound, invalidPasskey, tooManyRequests],
  async run(call) {
    const { session, params, body, origin } = call
    const { action, requestHash } = await opened(call, call, params.id)
    const { userId, thumbprint } = session
    const device = body.deviceId === undefined ? undefined : await findDevice(call, userId, body.deviceId, true)
    // A page's passkey belongs to the page's domain, so the frame cannot use it.
    if (device?.method === 'passkey') throw new ApiError(mfaDeviceNotFound, { reason: 'passkey' })
    const purpose = { action, requestHash, sessionId: session.id, questionId: params.id }
    return beginChallenge(
      call,
      { kind: 'mfa-challenge', thumbprint, userId, purpose, first: getFirstFactor(session) },
      body.passkey ? { place: { userId, origin } } : device,
    )
  },
})

const answer = route('POST /mfa/frame/{id}/answer', {
  summary: 'Answers a challenge of an open question, and ends it; the token that comes serves once.',
  access: 'frame',
  unfinished: true,
  params: v.object({ id }),
  body: v.strictObject({ challengeId: id, ...factorAnswer }),
  answer: v.object({
    mfaToken: v.string(),
    expiresAt: time,
    enrolment: v.optional(
      v.pipe(v.string(), v.description('for a passkey of this frame, where it was another factor')),
    ),
  }),
  errors: [invalidProof, mfaInvalidCode, mfaDeviceNotFound, invalidPasskey, tooManyVerificationAttempts],
  async run(call) {
    const { session, params, body, origin, services } = call
    const { action, requestHash, frameKey } = await opened(call, call, params.id)
    const key = { id: body.challengeId, kind: 'mfa-challenge', thumbprint: session.thumbprint } as const
    const begun = await peek(call, key)
    if (begun?.data.questionId !== params.id) throw new ApiError(mfaInvalidCode)
    const { proof } = await answerChallenge(call, key, body, { userId: session.userId, origin })
    if (!(await consume(call, questionKey(session, params.id)))) throw new ApiError(mfaInvalidCode)
    const { userId } = session
    if (frameKey !== undefined)
      await keepFrameKey(call, { userId, thumbprint: frameKey, factorAt: services.clock.now() })
    const token = await issueMfaToken(call, session, { action, requestHash })
    // A passkey of the frame cannot vouch for another.
    if (proof.framePasskey) return token
    return { ...token, enrolment: await offerEnrolment(call, call, proof) }
  },
})

export const mfaFrameRoutes: readonly Route[] = [open, challenge, answer]
