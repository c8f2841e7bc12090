/**
 * Enrols a wallet frame's own passkeys: in the frame, after another factor was entered there; or, for users without a
 * factor that a frame can use, after the page's passkey confirmed this enrolment and nothing else.
 */
import { mfaDeviceNotFound, mfaInvalidCode, tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { begin, type CeremonyKey, consume, peek } from '../accounts/ceremonies.js'
import { optionsSchema, registrationSchema } from '../accounts/passkey-schemas.js'
import { getDevices } from '../accounts/user-view.js'
import type { ActiveSession, Call } from '../http/call.js'
import { ApiError, forbidden, invalidPasskey, methodNotEnabled, mfaRequired } from '../http/errors.js'
import { id } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { demandPasskey } from '../mfa/demand.js'
import type { Proof } from '../mfa/factors.js'
import { checkCreation, getCreationOptions, keepPasskey, newPasskeySchema } from '../mfa/frame-passkeys.js'
import { opened } from '../mfa/question.js'

const route = routesOf('mfa')

const LIFETIME = 10 * 60_000
const errors = [mfaInvalidCode, mfaDeviceNotFound, forbidden, methodNotEnabled] as const

interface FromFrame {
  readonly session: ActiveSession
  readonly origin: string
}
const provedData = v.object({ sessionId: v.string(), origin: v.string(), deviceId: v.optional(v.string()) })

function getKey({ thumbprint }: ActiveSession, kind: CeremonyKey['kind'], id: string): CeremonyKey {
  return { id, kind, thumbprint }
}

/** Offers an enrolment after a step-up that was completed without the frame's passkey. @returns the offer's ID */
export async function offerEnrolment(call: Call, { session, origin }: FromFrame, { deviceId }: Proof): Promise<string> {
  const { userId, thumbprint } = session
  const data = { sessionId: session.id, origin, deviceId }
  return (await begin(call, { kind: 'frame-proved', thumbprint, userId, lifetime: LIFETIME, data })).id
}

/**
 * Returns the factor that vouches for a new passkey, if any yet.
 * @throws ApiError `mfa_invalid_code`, `forbidden`, `mfa_device_not_found`
 */
async function vouched(call: Call, from: FromFrame, id: string): Promise<Proof | undefined> {
  const { session, origin } = from
  const devices = await getDevices(call.services, session.userId)
  if (devices.length === 0) throw new ApiError(mfaDeviceNotFound)
  const proved = v.safeParse(provedData, (await peek(call, getKey(session, 'frame-proved', id)))?.data)
  if (proved.success) {
    const { sessionId, origin: proving, deviceId } = proved.output
    if (sessionId !== session.id || proving !== origin) throw new ApiError(mfaInvalidCode)
    if (deviceId === undefined) return {}
    if (!devices.some(device => device.id === deviceId)) throw new ApiError(mfaDeviceNotFound)
    return { deviceId }
  }
  await opened(call, from, id)
  if (devices.some(({ method }) => method !== 'passkey')) throw new ApiError(forbidden)
  return undefined
}

const options = route('POST /mfa/frame/{id}/passkeys/options', {
  summary: 'From a wallet frame: WebAuthn options for a passkey of its own, by a question or by what its answer gave.',
  access: 'frame',
  params: v.object({ id }),
  status: 201,
  answer: optionsSchema,
  errors: [...errors, tooManyRequests],
  async run(call) {
    const { session, origin, params } = call
    const { userId, thumbprint } = session
    await call.services.limits.hit('frame passkeys per user', userId)
    await vouched(call, call, params.id)
    const options = await getCreationOptions(call, { userId, origin })
    const data = { challenge: options.challenge, rightId: params.id }
    const ceremony = await begin(call, { kind: 'frame-passkey', thumbprint, userId, lifetime: LIFETIME, data })
    return { challengeId: ceremony.id, expiresAt: ceremony.expiresAt, options: { ...options } }
  },
})

const challengeData = v.object({ challenge: v.string(), rightId: v.string() })

const enrol = route('POST /mfa/frame/{id}/passkeys', {
  summary: 'The new passkey. Where nothing was proved yet, it waits for the page’s passkey, by the id that comes.',
  access: 'frame',
  params: v.object({ id }),
  body: v.strictObject({ challengeId: id, response: registrationSchema }),
  status: 201,
  answer: v.object({
    enrolmentId: v.optional(v.pipe(v.string(), v.description('it waits: /mfa/frame-passkeys/{id}/confirm'))),
  }),
  errors: [...errors, invalidPasskey],
  async run(call) {
    const { session, origin, params, body } = call
    const { userId, thumbprint } = session
    const proof = await vouched(call, call, params.id)
    const ceremony = await consume(call, getKey(session, 'frame-passkey', body.challengeId))
    const data = v.safeParse(challengeData, ceremony?.data)
    if (!data.success || data.output.rightId !== params.id) throw new ApiError(invalidPasskey)
    const place = { userId, origin }
    const passkey = await checkCreation(call, place, data.output.challenge, body.response)
    if (proof) {
      // A proof vouches for only one passkey.
      if (!(await consume(call, getKey(session, 'frame-proved', params.id)))) throw new ApiError(mfaInvalidCode)
      await keepPasskey(call, place, passkey, proof)
      return {}
    }
    const waits = { sessionId: session.id, origin, passkey }
    const { id } = await begin(call, { kind: 'frame-enrolment', thumbprint, userId, lifetime: LIFETIME, data: waits })
    return { enrolmentId: id }
  },
})

const enrolmentData = v.object({ sessionId: v.string(), origin: v.string(), passkey: newPasskeySchema })

const confirm = route('POST /mfa/frame-passkeys/{id}/confirm', {
  summary:
    'From the page: vouches for a passkey that a wallet frame made. Demands the page’s passkey for this very call, whatever the environment is set to.',
  access: 'session',
  params: v.object({ id }),
  errors: [mfaRequired, mfaDeviceNotFound, invalidPasskey],
  async run(call) {
    const { session, params } = call
    const key = getKey(session, 'frame-enrolment', params.id)
    const known = v.safeParse(enrolmentData, (await peek(call, key))?.data)
    if (!known.success || known.output.sessionId !== session.id) throw new ApiError(invalidPasskey)
    const credentialId = await demandPasskey(call, session, 'user.update')
    if (!(await consume(call, key))) throw new ApiError(invalidPasskey)
    const { origin, passkey } = known.output
    await keepPasskey(call, { userId: session.userId, origin }, passkey, { credentialId })
  },
})

export const framePasskeyRoutes: readonly Route[] = [options, enrol, confirm]
