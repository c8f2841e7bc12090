/** Second factors: a challenge is begun for a device and answered once, with at most five tries. */
import { randomInt, randomUUID } from 'node:crypto'
import { type MfaMethod, mfaDeviceNotFound, mfaInvalidCode, tooManyVerificationAttempts } from '@keybay/kernel/spec'
import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import * as v from 'valibot'
import { attempt, begin, type Ceremony, type CeremonyKey, consume } from '../accounts/ceremonies.js'
import { assertionSchema, beginAssertion, checkAssertion, getPasskeys } from '../accounts/passkeys.js'
import { credentials, mfaDevices } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, invalidPasskey, methodNotEnabled } from '../http/errors.js'
import { code, time } from '../http/fields.js'
import { checkFrameAssertion, getRequestOptions, type Place } from './frame-passkeys.js'
import { useRecoveryCode } from './recovery-codes.js'
import { matchingStep, newTotpSecret, otpauthUri } from './totp.js'

const LIFETIME = 10 * 60_000
const TRIES = 5
const MAX_DEVICES = 10

export type Device = typeof mfaDevices.$inferSelect

export const challengeSchema = v.object({
  challengeId: v.string(),
  expiresAt: time,
  options: v.optional(v.pipe(v.record(v.string(), v.unknown()), v.description('of a passkey: WebAuthn options'))),
})
export type Challenge = v.InferOutput<typeof challengeSchema>

/** Fields of which exactly one is set. */
export const factorAnswer = {
  code: v.optional(v.pipe(code, v.description('of totp or email'))),
  passkey: v.optional(assertionSchema),
  recoveryCode: v.optional(v.pipe(v.string(), v.maxLength(32))),
}
export interface FactorAnswer {
  readonly code?: string | undefined
  readonly passkey?: v.InferOutput<typeof assertionSchema> | undefined
  readonly recoveryCode?: string | undefined
}

/** @throws ApiError `mfa_device_not_found` */
export async function findDevice(call: Call, userId: string, id: string, confirmed: boolean): Promise<Device> {
  const state = confirmed ? isNotNull(mfaDevices.confirmedAt) : isNull(mfaDevices.confirmedAt)
  const [device] = await call.services.db
    .select()
    .from(mfaDevices)
    .where(and(eq(mfaDevices.id, id), eq(mfaDevices.userId, userId), state))
  if (!device) throw new ApiError(mfaDeviceNotFound)
  return device
}

async function getEmail({ services }: Call, userId: string): Promise<string | undefined> {
  const [row] = await services.db
    .select({ email: credentials.subject })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), eq(credentials.method, 'email')))
  return row?.email
}

/** Adds a device, to be confirmed. @throws ApiError `method_not_enabled`, `mfa_device_not_found` */
export async function addDevice(
  call: Call,
  userId: string,
  { method, name }: { readonly method: MfaMethod; readonly name: string },
): Promise<{ device: Device; totp?: { secret: string; uri: string } }> {
  const { services, environment } = call
  if (!environment.mfa.methods.includes(method)) throw new ApiError(methodNotEnabled)
  const email = await getEmail(call, userId)
  if (method === 'email' && email === undefined) throw new ApiError(mfaDeviceNotFound, { reason: 'email' })
  if (method === 'passkey' && (await getPasskeys(call, userId)).length === 0)
    throw new ApiError(mfaDeviceNotFound, { reason: 'passkey' })
  // Remove devices that were never confirmed, so that the table stays small.
  await services.db.delete(mfaDevices).where(and(eq(mfaDevices.userId, userId), isNull(mfaDevices.confirmedAt)))
  if ((await services.db.$count(mfaDevices, eq(mfaDevices.userId, userId))) >= MAX_DEVICES)
    throw new ApiError(methodNotEnabled, { reason: 'count' })
  const id = randomUUID()
  const secret = method === 'totp' ? newTotpSecret() : undefined
  const device: Device = {
    id,
    userId,
    method,
    name,
    secret: secret ? services.hashes.seal(secret, id) : null,
    lastStep: null,
    createdAt: services.clock.now(),
    confirmedAt: null,
  }
  await services.db.insert(mfaDevices).values(device)
  if (!secret) return { device }
  const uri = otpauthUri(secret, environment.name, email ?? userId)
  return { device, totp: { secret: new URL(uri).searchParams.get('secret') ?? '', uri } }
}

/** Factor that passed the challenge: a device, or a passkey of the page; neither for a recovery code. */
export interface Proof {
  readonly deviceId?: string
  readonly credentialId?: string
  /** Set for a passkey of the wallet frame that made the request. */
  readonly framePasskey?: true
}

export interface ChallengeRequest {
  readonly kind: 'mfa-challenge' | 'mfa-enrolment'
  readonly thumbprint: string
  readonly userId: string
  readonly purpose: Record<string, unknown>
}

/** Sends a code or creates WebAuthn options. @throws ApiError `too_many_requests`, `delivery_failed` */
export async function beginChallenge(
  call: Call,
  request: ChallengeRequest,
  factor?: Device | { readonly place: Place },
): Promise<Challenge> {
  const { hashes, limits, delivery } = call.services
  const { kind, thumbprint, userId, purpose } = request
  if (factor && 'place' in factor) {
    const options = await getRequestOptions(call, factor.place)
    const data = { ...purpose, frameChallenge: options.challenge }
    const { id, expiresAt } = await begin(call, { kind, thumbprint, userId, lifetime: LIFETIME, data })
    return { challengeId: id, expiresAt, options: { ...options } }
  }
  const device = factor
  const data = { ...purpose, deviceId: device?.id ?? null }
  if (device?.method === 'passkey') return beginAssertion(call, { kind, thumbprint, userId, data })
  if (device?.method !== 'email') {
    const { id, expiresAt } = await begin(call, { kind, thumbprint, userId, lifetime: LIFETIME, data })
    return { challengeId: id, expiresAt }
  }
  const email = await getEmail(call, userId)
  if (email === undefined) throw new ApiError(mfaDeviceNotFound, { reason: 'email' })
  await limits.spend(call, [{ name: 'code per address', who: `mfa ${email}` }])
  const sent = String(randomInt(1_000_000)).padStart(6, '0')
  const secretHash = (id: string) => hashes.keyed('mfa-code', id, sent)
  const { id, expiresAt } = await begin(call, { kind, thumbprint, userId, lifetime: LIFETIME, data, secretHash })
  const { name } = call.environment
  await delivery.mail(
    email,
    `Your security code for ${name}`,
    `${sent} confirms what you are doing in ${name}. It is valid for 10 minutes.`,
  )
  return { challengeId: id, expiresAt }
}

/**
 * Checks the response and uses up the challenge.
 * @param place calling wallet frame, whose own passkeys are accepted there
 * @throws ApiError `mfa_invalid_code`, `mfa_device_not_found`, `invalid_passkey`, `too_many_verification_attempts`
 */
export async function answerChallenge(call: Call, key: CeremonyKey, answer: FactorAnswer, place?: Place) {
  const ceremony = await attempt(call, key)
  const { userId } = ceremony ?? {}
  if (!ceremony || !userId) throw new ApiError(mfaInvalidCode)
  if (ceremony.attempts > TRIES) throw new ApiError(tooManyVerificationAttempts)
  const { limits } = call.services
  let proof: Proof = {}
  await limits.hit('second factor per user', userId, tooManyVerificationAttempts)
  if (answer.recoveryCode !== undefined) {
    // A recovery code replaces a device, but cannot prove that a new device works.
    const used = key.kind === 'mfa-challenge' && (await useRecoveryCode(call.services, userId, answer.recoveryCode))
    if (!used) throw new ApiError(mfaInvalidCode)
  } else if (place && typeof ceremony.data.frameChallenge === 'string') {
    if (!answer.passkey) throw new ApiError(invalidPasskey)
    await checkFrameAssertion(call, place, ceremony.data.frameChallenge, answer.passkey)
    proof = { framePasskey: true }
  } else {
    const { deviceId } = ceremony.data
    const device = await findDevice(
      call,
      userId,
      typeof deviceId === 'string' ? deviceId : '',
      key.kind === 'mfa-challenge',
    )
    proof = await checkDevice(call, device, ceremony, answer)
  }
  if (!(await consume(call, key))) throw new ApiError(mfaInvalidCode)
  // Tries are counted before the check, so that concurrent tries count; a correct response is not a guess.
  await limits.forgive('second factor per user', userId)
  return { ...ceremony, proof }
}

async function checkDevice(call: Call, device: Device, ceremony: Ceremony, answer: FactorAnswer): Promise<Proof> {
  const { db, hashes, clock } = call.services
  if (device.method === 'passkey') {
    if (!answer.passkey) throw new ApiError(invalidPasskey)
    return checkAssertion(call, ceremony.data.challenge, answer.passkey, device.userId)
  }
  const proof = { deviceId: device.id }
  const typed = (answer.code ?? '').replace(/\s/g, '')
  if (device.method === 'email') {
    if (!hashes.check(ceremony.secretHash, 'mfa-code', ceremony.id, typed)) throw new ApiError(mfaInvalidCode)
    return proof
  }
  const secret = hashes.open(device.secret ?? '', device.id)
  const step = matchingStep(secret, typed, { now: clock.now(), lastStep: device.lastStep })
  if (step === undefined) throw new ApiError(mfaInvalidCode)
  // Of two concurrent calls with the same code, only one advances the step.
  const [moved] = await db
    .update(mfaDevices)
    .set({ lastStep: step })
    .where(and(eq(mfaDevices.id, device.id), or(isNull(mfaDevices.lastStep), lt(mfaDevices.lastStep, step))))
    .returning()
  if (!moved) throw new ApiError(mfaInvalidCode)
  return proof
}
