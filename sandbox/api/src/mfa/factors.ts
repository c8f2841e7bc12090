/** Second factors: a challenge is begun for a device and answered once, with at most five tries. */
import { randomInt, randomUUID } from 'node:crypto'
import { type MfaMethod, mfaDeviceNotFound, mfaInvalidCode, tooManyVerificationAttempts } from '@keybay/kernel/spec'
import { and, asc, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { attempt, begin, type Ceremony, type CeremonyKey, consume } from '../accounts/ceremonies.js'
import type { CredentialRow } from '../accounts/credentials.js'
import { type FirstFactor, getDistinct, isUsable } from '../accounts/distinct.js'
import { assertionSchema } from '../accounts/passkey-schemas.js'
import { beginAssertion, checkAssertion } from '../accounts/passkeys.js'
import { credentials, mfaDevices } from '../db/schema.js'
import type { ActiveSession, Call } from '../http/call.js'
import { ApiError, invalidPasskey, methodNotEnabled } from '../http/errors.js'
import { code, time } from '../http/fields.js'
import { checkFrameAssertion, getRequestOptions, type Place } from './frame-passkeys.js'
import { MAX_FAILURES, useRecoveryCode } from './recovery-codes.js'
import { matchingStep, newTotpSecret, otpauthUri } from './totp.js'

const LIFETIME = 10 * 60_000
const TRIES = 5
const MAX_DEVICES = 10

export type Device = typeof mfaDevices.$inferSelect

export function getFactorContext(deviceId: string): string {
  return `factor ${deviceId}`
}

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

/** Returns the ways in which the user signs in, those that did not begin this session first. */
async function getWays({ services }: Call, { userId, credentialId }: ActiveSession): Promise<readonly CredentialRow[]> {
  const rows = await services.db
    .select()
    .from(credentials)
    .where(eq(credentials.userId, userId))
    .orderBy(asc(credentials.createdAt))
  return rows.sort((a, b) => Number(a.id === credentialId) - Number(b.id === credentialId))
}

async function getEmail({ services }: Call, { credentialId, userId }: Device): Promise<string> {
  const [row] = await services.db
    .select({ email: credentials.subject })
    .from(credentials)
    .where(and(eq(credentials.id, credentialId ?? ''), eq(credentials.userId, userId)))
  if (!row) throw new ApiError(mfaDeviceNotFound, { reason: 'email' })
  return row.email
}

/**
 * Adds a device, to be confirmed.
 * @returns also the user's only way to sign in, if there is one, which the device must differ from
 * @throws ApiError `method_not_enabled`, `mfa_device_not_found`
 */
export async function addDevice(
  call: Call,
  session: ActiveSession,
  { method, name }: { readonly method: MfaMethod; readonly name: string },
): Promise<{ device: Device; first: FirstFactor; totp?: { secret: string; uri: string } }> {
  const { services, environment } = call
  const { userId } = session
  if (!environment.mfa.methods.includes(method)) throw new ApiError(methodNotEnabled)
  const ways = await getWays(call, session)
  const mailbox = ways.find(way => way.method === 'email')
  if (method !== 'totp' && !ways.some(way => way.method === method))
    throw new ApiError(mfaDeviceNotFound, { reason: method })
  // Only the recovery codes would be left to sign in with.
  if (!isUsable({ method, credentialId: mailbox?.id ?? null }, ways))
    throw new ApiError(mfaDeviceNotFound, { reason: 'first-factor' })
  const [way, other] = ways
  const first = other ? undefined : way?.id
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
    credentialId: method === 'email' && mailbox ? mailbox.id : null,
    failures: 0,
    sealed: secret ? services.envelope.seal(secret, getFactorContext(id)) : null,
    lastStep: null,
    createdAt: services.clock.now(),
    confirmedAt: null,
  }
  await services.db.insert(mfaDevices).values(device)
  if (!secret) return { device, first }
  const uri = otpauthUri(secret, environment.name, mailbox?.subject ?? userId)
  return { device, first, totp: { secret: new URL(uri).searchParams.get('secret') ?? '', uri } }
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
  /** Credential that the factor must differ from. */
  readonly first?: FirstFactor
}

/** Sends a code or creates WebAuthn options. @throws ApiError `mfa_device_not_found`, `too_many_requests`, `delivery_failed` */
export async function beginChallenge(
  call: Call,
  request: ChallengeRequest,
  factor?: Device | { readonly place: Place },
): Promise<Challenge> {
  const { db, hashes, limits, delivery } = call.services
  const { kind, thumbprint, userId, purpose, first } = request
  if (factor && 'place' in factor) {
    const options = await getRequestOptions(call, factor.place)
    const data = { ...purpose, frameChallenge: options.challenge }
    const { id, expiresAt } = await begin(call, { kind, thumbprint, userId, lifetime: LIFETIME, data })
    return { challengeId: id, expiresAt, options: { ...options } }
  }
  const device = factor
  if (device && (await getDistinct(db, [device], first)).length === 0)
    throw new ApiError(mfaDeviceNotFound, { reason: 'first-factor' })
  const data = { ...purpose, deviceId: device?.id ?? null, ...(first !== undefined && { first }) }
  if (device?.method === 'passkey') return beginAssertion(call, { kind, thumbprint, userId, data, first })
  if (device?.method !== 'email') {
    const { id, expiresAt } = await begin(call, { kind, thumbprint, userId, lifetime: LIFETIME, data })
    return { challengeId: id, expiresAt }
  }
  const email = await getEmail(call, device)
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
  const factor = getFactor(ceremony, answer)
  await limits.hit('guesses per factor', factor, tooManyVerificationAttempts)
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
  await limits.forgive('guesses per factor', factor)
  return { ...ceremony, proof }
}

/** Names the factor that a response tries, so that the limits of one factor leave the others open. */
function getFactor({ userId, data }: Ceremony, { recoveryCode }: FactorAnswer): string {
  if (recoveryCode !== undefined) return `recovery ${userId}`
  return typeof data.deviceId === 'string' ? `device ${data.deviceId}` : `frame ${userId}`
}

const factorLocked = {
  ...tooManyVerificationAttempts,
  message:
    'This second factor is locked after too many wrong codes. Use another one or a recovery code, then remove it and add it again.',
}

/** Counts a wrong code in advance, so that concurrent ones count. @throws ApiError `too_many_verification_attempts` */
async function countGuess({ services }: Call, { id }: Device): Promise<void> {
  const [open] = await services.db
    .update(mfaDevices)
    .set({ failures: sql`${mfaDevices.failures} + 1` })
    .where(and(eq(mfaDevices.id, id), lt(mfaDevices.failures, MAX_FAILURES)))
    .returning({ id: mfaDevices.id })
  if (!open) throw new ApiError(factorLocked, { reason: 'locked' })
}

async function checkDevice(call: Call, device: Device, ceremony: Ceremony, answer: FactorAnswer): Promise<Proof> {
  const { db } = call.services
  if (device.method === 'passkey') {
    if (!answer.passkey) throw new ApiError(invalidPasskey)
    const proof = await checkAssertion(call, ceremony.data.challenge, answer.passkey, device.userId)
    if (proof.credentialId === ceremony.data.first && !proof.isUserVerified)
      throw new ApiError(invalidPasskey, { reason: 'user-verification' })
    return proof
  }
  await countGuess(call, device)
  await checkCode(call, device, ceremony, answer)
  await db.update(mfaDevices).set({ failures: 0 }).where(eq(mfaDevices.id, device.id))
  return { deviceId: device.id }
}

/** @throws ApiError `mfa_invalid_code` */
async function checkCode(call: Call, device: Device, ceremony: Ceremony, answer: FactorAnswer): Promise<void> {
  const { db, hashes, clock, envelope } = call.services
  const typed = (answer.code ?? '').replace(/\s/g, '')
  if (device.method === 'email') {
    if (!hashes.check(ceremony.secretHash, 'mfa-code', ceremony.id, typed)) throw new ApiError(mfaInvalidCode)
    return
  }
  const secret = envelope.open(device.sealed ?? '', getFactorContext(device.id))
  const step = matchingStep(secret, typed, { now: clock.now(), lastStep: device.lastStep })
  if (step === undefined) throw new ApiError(mfaInvalidCode)
  // Of two concurrent calls with the same code, only one advances the step.
  const [moved] = await db
    .update(mfaDevices)
    .set({ lastStep: step })
    .where(and(eq(mfaDevices.id, device.id), or(isNull(mfaDevices.lastStep), lt(mfaDevices.lastStep, step))))
    .returning()
  if (!moved) throw new ApiError(mfaInvalidCode)
}
