/**
 * Passkeys of a wallet frame's own host (rpId): a browser lets the frame use those, and no others. They are second
 * factors in that frame only; sign-in and the page's factors read another table.
 */
import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import type { Assertion, Registration } from '../accounts/passkey-schemas.js'
import {
  creationOptions,
  type Expected,
  requestOptions,
  type StoredPasskey,
  verifyCreation,
  verifyUse,
} from '../accounts/passkeys.js'
import { framePasskeys, users } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, invalidPasskey, methodNotEnabled } from '../http/errors.js'
import { recordEvent } from '../security-log/events.js'
import type { Services } from '../services.js'
import type { Proof } from './factors.js'

const MAX = 10

/** User and wallet frame that a passkey belongs to. */
export interface Place {
  readonly userId: string
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

/** Returns WebAuthn options to create a passkey. @throws ApiError `method_not_enabled`, also at the limit */
export async function getCreationOptions(call: Call, place: Place) {
  const { environment, services } = call
  if (!environment.mfa.methods.includes('passkey')) throw new ApiError(methodNotEnabled)
  const exclude = await getFramePasskeys(call, place)
  if (exclude.length >= MAX) throw new ApiError(methodNotEnabled, { reason: 'count' })
  const [user] = await services.db.select().from(users).where(eq(users.id, place.userId))
  const rp = { rpId: getRpId(place), rpName: environment.relyingParty.name }
  return creationOptions(rp, { handle: user?.passkeyHandle ?? '', userName: `${environment.name} wallet`, exclude })
}

/** Returns WebAuthn options to use a passkey. @throws ApiError `invalid_passkey` if there is none */
export async function getRequestOptions(call: Call, place: Place) {
  const rows = await getFramePasskeys(call, place)
  if (rows.length === 0) throw new ApiError(invalidPasskey)
  return requestOptions(getRpId(place), rows)
}

/** New passkey from the authenticator. It counts once another factor has vouched for it. */
export const newPasskeySchema = v.object({
  passkeyId: v.string(),
  publicKey: v.string(),
  counter: v.number(),
  transports: v.array(v.string()),
})

function expectedInFrame({ environment }: Call, place: Place, challenge: string): Expected {
  return { challenge, origins: [place.origin], topOrigins: [...environment.pageOrigins], rpId: getRpId(place) }
}

/** @throws ApiError `invalid_passkey` */
export function checkCreation(call: Call, place: Place, challenge: string, response: Registration) {
  return verifyCreation(response, expectedInFrame(call, place, challenge))
}

/** @throws ApiError `invalid_passkey` */
export async function checkFrameAssertion(call: Call, place: Place, challenge: string, response: Assertion) {
  const { db, clock } = call.services
  const [row] = await db
    .select()
    .from(framePasskeys)
    .where(and(placed(call, place), eq(framePasskeys.passkeyId, response.id)))
  if (!row) throw new ApiError(invalidPasskey)
  const { counter } = await verifyUse(response, expectedInFrame(call, place, challenge), row)
  await db.update(framePasskeys).set({ counter, lastUsedAt: clock.now() }).where(eq(framePasskeys.id, row.id))
}

/** Stores a passkey that was vouched for. @throws ApiError `invalid_passkey` if it is already stored */
export async function keepPasskey(
  call: Call,
  place: Place,
  passkey: StoredPasskey,
  { deviceId, credentialId }: Proof,
): Promise<void> {
  const { services, environment, note } = call
  const id = randomUUID()
  const { userId } = place
  const values = {
    ...passkey,
    id,
    environmentId: environment.id,
    userId,
    rpId: getRpId(place),
    deviceId: deviceId ?? null,
    credentialId: credentialId ?? null,
    createdAt: services.clock.now(),
    lastUsedAt: null,
  }
  await services.db.transaction(async tx => {
    const [stored] = await tx.insert(framePasskeys).values(values).onConflictDoNothing().returning()
    // "none" attestation does not prove the ID: the caller could have made it up.
    if (!stored) throw new ApiError(invalidPasskey)
    await recordEvent(call, tx, { userId, kind: 'factor-added', detail: 'passkey of the wallet window' })
  })
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
