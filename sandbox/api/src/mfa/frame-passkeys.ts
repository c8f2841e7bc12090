/**
 * Passkeys of a wallet frame's own host (rpId): a browser lets the frame use those, and no others. They are second
 * factors in that frame only; sign-in and the page's factors read another table.
 */
import { randomUUID } from 'node:crypto'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import {
  type Assertion,
  assertionResponse,
  ES256,
  getTransports,
  newChallenge,
  type Registration,
  registrationResponse,
} from '../accounts/passkeys.js'
import { framePasskeys, users } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, invalidPasskey, methodNotEnabled } from '../http/errors.js'
import type { Services } from '../services.js'
import type { Proof } from './factors.js'

const MAX = 10

/** User and wallet frame that a passkey belongs to. */
export interface Place {
  readonly userId: string
  /** Origin of the frame. */
  readonly origin: string
}

function getRpId({ origin }: Place): string {
  return new URL(origin).hostname
}

function placed({ environment }: Call, place: Place): SQL | undefined {
  return and(
    eq(framePasskeys.environmentId, environment.id),
    eq(framePasskeys.userId, place.userId),
    eq(framePasskeys.rpId, getRpId(place)),
  )
}

export function getFramePasskeys(call: Call, place: Place) {
  return call.services.db
    .select({ id: framePasskeys.passkeyId, transports: framePasskeys.transports })
    .from(framePasskeys)
    .where(placed(call, place))
}

function named(rows: Awaited<ReturnType<typeof getFramePasskeys>>) {
  return rows.map(({ id, transports }) => ({ id, transports: getTransports(transports) }))
}

/** @throws ApiError `method_not_enabled` at the limit, or if passkeys are off */
export async function creationOptions(call: Call, place: Place) {
  const { environment, services } = call
  if (!environment.mfa.methods.includes('passkey')) throw new ApiError(methodNotEnabled)
  const rows = await getFramePasskeys(call, place)
  if (rows.length >= MAX) throw new ApiError(methodNotEnabled, { reason: 'count' })
  const [user] = await services.db.select().from(users).where(eq(users.id, place.userId))
  return generateRegistrationOptions({
    rpID: getRpId(place),
    rpName: environment.relyingParty.name,
    userID: new Uint8Array(Buffer.from(user?.passkeyHandle ?? '', 'base64url')),
    userName: `${environment.name} wallet`,
    challenge: newChallenge(),
    supportedAlgorithmIDs: [ES256],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'discouraged' },
    attestationType: 'none',
    excludeCredentials: named(rows),
  })
}

/** Returns WebAuthn options to use a passkey. @throws ApiError `invalid_passkey` if there is none */
export async function requestOptions(call: Call, place: Place) {
  const rows = await getFramePasskeys(call, place)
  if (rows.length === 0) throw new ApiError(invalidPasskey)
  return generateAuthenticationOptions({
    rpID: getRpId(place),
    challenge: newChallenge(),
    userVerification: 'discouraged',
    allowCredentials: named(rows),
  })
}

/** New passkey from the authenticator. It counts once another factor has vouched for it. */
export const newPasskeySchema = v.object({
  passkeyId: v.string(),
  publicKey: v.string(),
  counter: v.number(),
  transports: v.array(v.string()),
})
export type NewFramePasskey = v.InferOutput<typeof newPasskeySchema>

/** Checks that a browser that reports the top page of the frame reports one of the environment's pages. */
function isEmbedded({ environment }: Call, clientDataJSON: string): boolean {
  const { topOrigin } = decodeClientDataJSON(clientDataJSON)
  return topOrigin === undefined || environment.pageOrigins.has(topOrigin)
}

/** @throws ApiError `invalid_passkey` */
export async function checkCreation(
  call: Call,
  place: Place,
  expectedChallenge: string,
  response: Registration,
): Promise<NewFramePasskey> {
  const verify = async () => {
    if (!isEmbedded(call, response.response.clientDataJSON)) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response: registrationResponse(response),
      expectedChallenge,
      expectedOrigin: place.origin,
      expectedRPID: getRpId(place),
      requireUserVerification: false,
      supportedAlgorithmIDs: [ES256],
    })
    return registrationInfo?.credential
  }
  const credential = await verify().catch(() => undefined)
  if (!credential) throw new ApiError(invalidPasskey)
  return {
    passkeyId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: getTransports(response.response.transports ?? []),
  }
}

/** @throws ApiError `invalid_passkey` */
export async function checkFrameAssertion(
  call: Call,
  place: Place,
  expectedChallenge: string,
  response: Assertion,
): Promise<void> {
  const { db, clock } = call.services
  const [found] = await db
    .select()
    .from(framePasskeys)
    .where(and(placed(call, place), eq(framePasskeys.passkeyId, response.id)))
  if (!found) throw new ApiError(invalidPasskey)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: assertionResponse(response),
    expectedChallenge,
    expectedOrigin: place.origin,
    expectedTopOrigin: [...call.environment.pageOrigins],
    expectedRPID: getRpId(place),
    requireUserVerification: false,
    credential: {
      id: found.passkeyId,
      publicKey: new Uint8Array(Buffer.from(found.publicKey, 'base64url')),
      counter: found.counter,
    },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw new ApiError(invalidPasskey)
  await db
    .update(framePasskeys)
    .set({ counter: authenticationInfo.newCounter, lastUsedAt: clock.now() })
    .where(eq(framePasskeys.id, found.id))
}

/** Stores a passkey that was vouched for. @throws ApiError `invalid_passkey` if it is already stored */
export async function keepPasskey(
  { services, environment, note }: Call,
  place: Place,
  passkey: NewFramePasskey,
  { deviceId, credentialId }: Proof,
): Promise<void> {
  const id = randomUUID()
  const [kept] = await services.db
    .insert(framePasskeys)
    .values({
      ...passkey,
      id,
      environmentId: environment.id,
      userId: place.userId,
      rpId: getRpId(place),
      deviceId: deviceId ?? null,
      credentialId: credentialId ?? null,
      createdAt: services.clock.now(),
      lastUsedAt: null,
    })
    .onConflictDoNothing()
    .returning()
  // "none" attestation does not prove the ID: the caller could have made it up.
  if (!kept) throw new ApiError(invalidPasskey)
  note({ framePasskeyId: id })
}

const VOUCHED = {
  anything: undefined,
  'a passkey of the page': isNotNull(framePasskeys.credentialId),
  'a recovery code': and(isNull(framePasskeys.credentialId), isNull(framePasskeys.deviceId)),
} as const

/** Removes passkeys whose voucher ends now; for devices and credentials the database does so by itself. */
export async function forgetPasskeys(
  { db }: Pick<Services, 'db'>,
  userId: string,
  vouchedBy: keyof typeof VOUCHED,
): Promise<void> {
  await db.delete(framePasskeys).where(and(eq(framePasskeys.userId, userId), VOUCHED[vouchedBy]))
}
