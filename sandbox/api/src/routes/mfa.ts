/** Second factors of the signed-in user, and tokens that prove one for an action. */
import {
  MFA_METHODS,
  mfaDeviceNotFound,
  mfaInvalidCode,
  tooManyRequests,
  tooManyVerificationAttempts,
} from '@keybay/kernel/spec'
import { and, eq, isNotNull } from 'drizzle-orm'
import * as v from 'valibot'
import { getFirstFactor } from '../accounts/distinct.js'
import { deviceView, getDevices, mfaDeviceSchema } from '../accounts/user-view.js'
import { mfaDevices, recoveryCodes, users } from '../db/schema.js'
import { ApiError, invalidPasskey, methodNotEnabled, mfaRequired } from '../http/errors.js'
import { id, name, time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { getReceipt, issueMfaToken, redeemMfaToken, scope } from '../mfa/demand.js'
import {
  addDevice,
  answerChallenge,
  beginChallenge,
  challengeSchema,
  factorAnswer,
  findDevice,
} from '../mfa/factors.js'
import { forgetPasskeys } from '../mfa/frame-passkeys.js'
import { renewRecoveryCodes } from '../mfa/recovery-codes.js'
import { recordEvent } from '../security-log/events.js'
import { framePasskeyRoutes } from './frame-passkeys.js'
import { mfaFrameRoutes } from './mfa-frame.js'

const route = routesOf('mfa')

const list = route('GET /mfa/devices', {
  summary: 'The second factors of the user.',
  access: 'bearer',
  unfinished: true,
  answer: v.object({ devices: v.array(mfaDeviceSchema) }),
  run: async ({ services, session }) => ({ devices: (await getDevices(services, session.userId)).map(deviceView) }),
})

const add = route('POST /mfa/devices', {
  summary: 'Begins a second factor; it counts once it is confirmed. Of totp the answer has the secret, once.',
  access: 'session',
  mfa: 'user.update',
  body: v.strictObject({ method: v.picklist(MFA_METHODS), name: v.optional(name) }),
  status: 201,
  answer: v.object({
    device: mfaDeviceSchema,
    totp: v.optional(
      v.object({
        secret: v.pipe(v.string(), v.description('base32')),
        uri: v.pipe(v.string(), v.description('for a QR code')),
      }),
    ),
    challenge: challengeSchema,
  }),
  errors: [mfaRequired, mfaDeviceNotFound, methodNotEnabled, tooManyRequests],
  async run(call) {
    const { session, body } = call
    const { userId, thumbprint } = session
    const wanted = { method: body.method, name: body.name ?? body.method }
    const { device, first, totp } = await addDevice(call, session, wanted)
    const purpose = { isFirst: (await getDevices(call.services, userId)).length === 0 }
    const challenge = await beginChallenge(call, { kind: 'mfa-enrolment', thumbprint, userId, purpose, first }, device)
    return { device: deviceView(device), challenge, ...(totp && { totp }) }
  },
})

const { recoveryCode: _, ...deviceAnswer } = factorAnswer

const confirm = route('POST /mfa/devices/{id}/confirm', {
  summary: 'Confirms a second factor. With the first one come the recovery codes, once.',
  access: 'session',
  params: v.object({ id }),
  body: v.strictObject({ challengeId: id, ...deviceAnswer }),
  answer: v.object({ device: mfaDeviceSchema, recoveryCodes: v.optional(v.array(v.string())) }),
  errors: [mfaRequired, mfaInvalidCode, mfaDeviceNotFound, invalidPasskey, tooManyVerificationAttempts],
  async run(call) {
    const { services, session, params, body } = call
    const device = await findDevice(call, session.userId, params.id, false)
    const key = { id: body.challengeId, kind: 'mfa-enrolment', thumbprint: session.thumbprint } as const
    const challenge = await answerChallenge(call, key, body)
    if (challenge.data.deviceId !== device.id) throw new ApiError(mfaInvalidCode)
    const { userId } = session
    const codes = await services.db.transaction(async tx => {
      // Lock the user, so that only one of two concurrent calls is the first, and no merge removes the user in between.
      await tx.select().from(users).where(eq(users.id, userId)).for('update')
      const deviceFilter = and(eq(mfaDevices.userId, userId), isNotNull(mfaDevices.confirmedAt))
      const isFirst = (await tx.$count(mfaDevices, deviceFilter)) === 0
      // An enrolment begun as the first required no second factor, but the user has one now.
      if (!isFirst && challenge.data.isFirst === true) throw new ApiError(mfaRequired)
      await tx.update(mfaDevices).set({ confirmedAt: services.clock.now() }).where(eq(mfaDevices.id, device.id))
      await recordEvent(call, tx, { userId, kind: 'factor-added', detail: device.method })
      return isFirst ? renewRecoveryCodes({ db: tx, hashes: services.hashes }, userId) : undefined
    })
    return { device: deviceView(device), ...(codes && { recoveryCodes: codes }) }
  },
})

const remove = route('DELETE /mfa/devices/{id}', {
  summary: 'Removes a second factor. With the last one the recovery codes end.',
  access: 'session',
  mfa: 'user.update',
  params: v.object({ id }),
  errors: [mfaDeviceNotFound],
  async run(call) {
    const { services, session, params } = call
    const device = await findDevice(call, session.userId, params.id, true)
    const { userId } = session
    await services.db.transaction(async tx => {
      await tx.delete(mfaDevices).where(eq(mfaDevices.id, device.id))
      await recordEvent(call, tx, { userId, kind: 'factor-removed', detail: device.method })
    })
    const left = await getDevices(services, session.userId)
    if (device.method === 'passkey' && !left.some(({ method }) => method === 'passkey'))
      await forgetPasskeys(services, session.userId, 'a passkey of the page')
    if (left.length > 0) return
    await services.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, session.userId))
    await forgetPasskeys(services, session.userId, 'anything')
  },
})

const renewCodes = route('POST /mfa/recovery-codes', {
  summary: 'New recovery codes; the old ones end.',
  access: 'session',
  mfa: 'user.update',
  status: 201,
  answer: v.object({ recoveryCodes: v.array(v.string()) }),
  errors: [mfaDeviceNotFound],
  async run(call) {
    const { services, session } = call
    if ((await getDevices(services, session.userId)).length === 0) throw new ApiError(mfaDeviceNotFound)
    await forgetPasskeys(services, session.userId, 'a recovery code')
    return services.db.transaction(async tx => {
      await recordEvent(call, tx, { userId: session.userId, kind: 'recovery-codes-renewed' })
      return { recoveryCodes: await renewRecoveryCodes({ db: tx, hashes: services.hashes }, session.userId) }
    })
  },
})

const begin = route('POST /mfa/challenges', {
  summary: 'Begins the second factor for one action and one request. Without a device, for a recovery code.',
  access: 'session',
  // Verifying an address may itself require a second factor.
  unfinished: true,
  body: v.strictObject({ ...scope, deviceId: v.optional(id) }),
  status: 201,
  answer: challengeSchema,
  errors: [mfaDeviceNotFound, tooManyRequests],
  async run(call) {
    const { session, body } = call
    const { userId, thumbprint } = session
    const device = body.deviceId === undefined ? undefined : await findDevice(call, userId, body.deviceId, true)
    const purpose = { action: body.action, requestHash: body.requestHash, sessionId: session.id }
    const first = getFirstFactor(session)
    return beginChallenge(call, { kind: 'mfa-challenge', thumbprint, userId, purpose, first }, device)
  },
})

const purposeData = v.object({ ...scope, sessionId: v.string() })

const answer = route('POST /mfa/challenges/{id}', {
  summary: 'Answers the challenge; the token that comes is for the header x-keybay-mfa-token, once.',
  access: 'session',
  unfinished: true,
  params: v.object({ id }),
  body: v.strictObject(factorAnswer),
  answer: v.object({ mfaToken: v.string(), expiresAt: time }),
  errors: [mfaInvalidCode, mfaDeviceNotFound, invalidPasskey, tooManyVerificationAttempts],
  async run(call) {
    const { session, params, body } = call
    const key = { id: params.id, kind: 'mfa-challenge', thumbprint: session.thumbprint } as const
    const { data, proof } = await answerChallenge(call, key, body)
    const purpose = v.safeParse(purposeData, data)
    if (!purpose.success || purpose.output.sessionId !== session.id) throw new ApiError(mfaInvalidCode)
    return issueMfaToken(call, session, purpose.output, proof)
  },
})

const redeem = route('POST /mfa/tokens/redeem', {
  summary:
    'Uses up a token of a user: for services that act on wallets. The receipt, a JWS of this service, convinces others.',
  access: 'api-token',
  scope: 'mfa',
  body: v.strictObject({ ...scope, mfaToken: v.pipe(v.string(), v.maxLength(64)) }),
  answer: v.object({ userId: v.string(), sessionId: v.string(), receipt: v.string() }),
  errors: [mfaRequired],
  async run(call) {
    const redeemed = await redeemMfaToken(call, call.body.mfaToken, call.body)
    if (!redeemed) throw new ApiError(mfaRequired)
    const { userId, sessionId } = redeemed
    return { userId, sessionId, receipt: getReceipt(call, call.body.mfaToken, call.body, redeemed) }
  },
})

export const mfaRoutes: readonly Route[] = [
  list,
  add,
  confirm,
  remove,
  renewCodes,
  begin,
  answer,
  redeem,
  ...mfaFrameRoutes,
  ...framePasskeyRoutes,
]
