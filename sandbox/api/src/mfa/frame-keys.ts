/**
 * Keys of wallet frames. A frame keeps its key where no page can use it and signs its requests with it, because an origin
 * is only a header outside a browser. A recent sign-in or a second factor of the user vouches for each key.
 */
import { randomUUID } from 'node:crypto'
import type { MfaAction } from '@keybay/kernel/spec'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { deviceView, getDevices } from '../accounts/user-view.js'
import { frameKeys } from '../db/schema.js'
import type { ActiveSession, Call, ProvedKey } from '../http/call.js'
import { ApiError, mfaRequired, reauthenticationRequired } from '../http/errors.js'
import { getFramePasskeys } from './frame-passkeys.js'

/** Maximum age of a sign-in, in seconds. */
const MAX_SIGN_IN_SECONDS = 5 * 60
/** Time in which a frame acts on a second factor that the user entered in it, in ms: that of a long ceremony. */
const FACTOR_LIFETIME = 15 * 60_000
/** Maximum number of keys per user; a new one replaces the oldest. */
const MAX_KEYS = 100
/** Action that a second factor for a backup proves. */
const ACTION: MfaAction = 'wallet.waas.reshare'

export interface FrameCall extends Call {
  readonly session: ActiveSession
  readonly origin: string
  /** Key that signed the request. */
  readonly key: ProvedKey
}
export type FrameKey = typeof frameKeys.$inferSelect

export async function findFrameKey({ services, session, key }: FrameCall): Promise<FrameKey | undefined> {
  const [row] = await services.db
    .select()
    .from(frameKeys)
    .where(and(eq(frameKeys.userId, session.userId), eq(frameKeys.thumbprint, key.thumbprint)))
  return row
}

/** Stores a key that the user vouched for. @param factorAt time of the second factor that vouches for it, in ms */
export async function keepFrameKey(
  { services, environment }: Call,
  { userId, thumbprint, factorAt }: Pick<FrameKey, 'userId' | 'thumbprint' | 'factorAt'>,
): Promise<void> {
  const values = { environmentId: environment.id, userId, thumbprint, factorAt, createdAt: services.clock.now() }
  await services.db
    .insert(frameKeys)
    .values({ ...values, id: randomUUID() })
    .onConflictDoUpdate({ target: [frameKeys.userId, frameKeys.thumbprint], set: { factorAt } })
  const stale = services.db
    .select({ id: frameKeys.id })
    .from(frameKeys)
    .where(eq(frameKeys.userId, userId))
    .orderBy(desc(frameKeys.createdAt), frameKeys.id)
    .offset(MAX_KEYS)
  await services.db.delete(frameKeys).where(inArray(frameKeys.id, stale))
}

function hasRecentSignIn({ services, session }: FrameCall): boolean {
  return services.clock.now() - session.createdAt <= MAX_SIGN_IN_SECONDS * 1000
}

function hasRecentFactor({ services }: Call, { factorAt }: FrameKey): boolean {
  return factorAt !== null && services.clock.now() - factorAt <= FACTOR_LIFETIME
}

/** Returns the user's factors that can be entered in a frame; a passkey of the page cannot. */
async function describeFactors(call: FrameCall) {
  const { userId } = call.session
  const devices = (await getDevices(call.services, userId)).filter(({ method }) => method !== 'passkey')
  const passkeys = await getFramePasskeys(call, { userId, origin: call.origin })
  return {
    isPossible: devices.length + passkeys.length > 0,
    demand: { action: ACTION, devices: devices.map(deviceView) },
  }
}

async function refuseStale(call: FrameCall): Promise<ApiError> {
  const { demand } = await describeFactors(call)
  return new ApiError(reauthenticationRequired, { maxAgeSeconds: MAX_SIGN_IN_SECONDS, ...demand })
}

/** Registers the key of the request. @throws ApiError `reauthentication_required` for a new key without a recent sign-in */
export async function registerFrameKey(call: FrameCall): Promise<void> {
  if (await findFrameKey(call)) return
  if (!hasRecentSignIn(call)) throw await refuseStale(call)
  const { userId } = call.session
  await keepFrameKey(call, { userId, thumbprint: call.key.thumbprint, factorAt: null })
}

/** @throws ApiError `reauthentication_required` for a key that is not registered */
export async function demandFrameKey(call: FrameCall): Promise<FrameKey> {
  const key = await findFrameKey(call)
  if (!key) throw await refuseStale(call)
  return key
}

/** Requires a recent sign-in, or a second factor in this frame. @throws ApiError `reauthentication_required` */
export async function demandPresence(call: FrameCall, key: FrameKey): Promise<void> {
  if (!hasRecentFactor(call, key) && !hasRecentSignIn(call)) throw await refuseStale(call)
}

/**
 * Requires a second factor in this frame of a user who can enter one there, of all others a recent sign-in.
 * @throws ApiError `mfa_required`, `reauthentication_required`
 */
export async function demandFactor(call: FrameCall, key: FrameKey): Promise<void> {
  if (hasRecentFactor(call, key)) return
  const { isPossible, demand } = await describeFactors(call)
  if (isPossible && call.environment.mfa.actions.includes(ACTION)) throw new ApiError(mfaRequired, demand)
  await demandPresence(call, key)
}
