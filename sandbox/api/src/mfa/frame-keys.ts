/**
 * Keys of wallet frames. A frame keeps its key where no page can use it and signs its requests with it, because an origin
 * is only a header outside a browser. A recent sign-in or a second factor of the user vouches for each key.
 */
import { randomUUID } from 'node:crypto'
import type { MfaAction } from '@keybay/kernel/spec'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { getDevices } from '../accounts/user-view.js'
import type { Database } from '../db/open.js'
import { frameKeys, users } from '../db/schema.js'
import type { ActiveSession, Call, ProvedKey } from '../http/call.js'
import { recordEvent } from '../security-log/events.js'
import { demandMfa } from './demand.js'
import { getFramePasskeys } from './frame-passkeys.js'
import { demandRecentSignIn, staleSignIn } from './step-up.js'

/** Time in which a frame acts on a second factor that the user entered in it, in ms: that of a long ceremony. */
const FACTOR_LIFETIME = 15 * 60_000
/** Time in which a new user's first key is expected, in ms. */
const SIGN_UP_MS = 15 * 60_000
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

async function findFrameKey({ services, session, key }: FrameCall): Promise<FrameKey | undefined> {
  const [row] = await services.db
    .select()
    .from(frameKeys)
    .where(and(eq(frameKeys.userId, session.userId), eq(frameKeys.thumbprint, key.thumbprint)))
  return row
}

/** Stores a key that the user vouched for, or what the user vouched for since. */
export async function keepFrameKey(
  call: Call,
  {
    userId,
    thumbprint,
    ...vouched
  }: Pick<FrameKey, 'userId' | 'thumbprint'> & Partial<Pick<FrameKey, 'factorAt' | 'statementId'>>,
): Promise<void> {
  const { services, environment } = call
  const ofUser = eq(frameKeys.userId, userId)
  const createdAt = services.clock.now()
  const values = { id: randomUUID(), environmentId: environment.id, userId, thumbprint, ...vouched, createdAt }
  await services.db.transaction(async tx => {
    const [added] = await tx.insert(frameKeys).values(values).onConflictDoNothing().returning({ id: frameKeys.id })
    if (!added) {
      await tx
        .update(frameKeys)
        .set(vouched)
        .where(and(ofUser, eq(frameKeys.thumbprint, thumbprint)))
      return
    }
    const isQuiet = await isSignUp(tx, userId, createdAt)
    await recordEvent(call, tx, { userId, kind: 'frame-key-added', isQuiet })
    const stale = tx
      .select({ id: frameKeys.id })
      .from(frameKeys)
      .where(ofUser)
      .orderBy(desc(frameKeys.createdAt), frameKeys.id)
      .offset(MAX_KEYS)
    await tx.delete(frameKeys).where(inArray(frameKeys.id, stale))
  })
}

/** Returns whether the only key of a user was added while the user was new. */
async function isSignUp(tx: Pick<Database, 'select' | '$count'>, userId: string, now: number): Promise<boolean> {
  if ((await tx.$count(frameKeys, eq(frameKeys.userId, userId))) > 1) return false
  const [user] = await tx.select({ createdAt: users.createdAt }).from(users).where(eq(users.id, userId))
  return user !== undefined && now - user.createdAt <= SIGN_UP_MS
}

/** Ends all keys of a user: each frame needs a recent sign-in or a second factor again. */
export async function endFrameKeys(tx: Pick<Database, 'delete'>, userId: string): Promise<void> {
  await tx.delete(frameKeys).where(eq(frameKeys.userId, userId))
}

function hasRecentFactor({ services }: Call, { factorAt }: FrameKey): boolean {
  return factorAt !== null && services.clock.now() - factorAt <= FACTOR_LIFETIME
}

/** Returns whether the user has a factor that a frame can ask for, which a passkey of the page is not. */
async function hasFactor(call: FrameCall): Promise<boolean> {
  const { userId } = call.session
  const devices = await getDevices(call.services, userId)
  if (devices.some(({ method }) => method !== 'passkey')) return true
  return (await getFramePasskeys(call, { userId, origin: call.origin })).length > 0
}

/** Registers the key of the request. @throws ApiError `reauthentication_required` for a new key without a recent sign-in */
export async function registerFrameKey(call: FrameCall): Promise<void> {
  if (await findFrameKey(call)) return
  const { session, key } = call
  await demandRecentSignIn(call, session, ACTION)
  await keepFrameKey(call, { userId: session.userId, thumbprint: key.thumbprint, factorAt: null })
}

/**
 * Lets the operation of a statement read and erase backups until the statement expires, however long the user takes, and
 * registers the key of the request.
 * @throws ApiError `reauthentication_required` without a recent sign-in, or a second factor in this frame
 */
export async function beginOperation(call: FrameCall, statementId: string): Promise<void> {
  const { session, key } = call
  const known = await findFrameKey(call)
  if (!known || !hasRecentFactor(call, known)) await demandRecentSignIn(call, session, ACTION)
  await keepFrameKey(call, { userId: session.userId, thumbprint: key.thumbprint, statementId })
}

/** @throws ApiError `reauthentication_required` for a key that is not registered */
export async function demandFrameKey(call: FrameCall): Promise<FrameKey> {
  const key = await findFrameKey(call)
  if (!key) throw await staleSignIn(call, call.session, ACTION)
  return key
}

/** A frame's key, and the statement of a request that it signed. */
export interface BackupAuthority {
  readonly frameKey: FrameKey
  readonly statementId: string
}

/**
 * Requires a recent sign-in or a second factor in this frame, now or when the operation began.
 * @throws ApiError `reauthentication_required`
 */
export async function demandPresence(call: FrameCall, { frameKey, statementId }: BackupAuthority): Promise<void> {
  if (frameKey.statementId === statementId || hasRecentFactor(call, frameKey)) return
  await demandRecentSignIn(call, call.session, ACTION)
}

/**
 * Requires a second factor in this frame of a user who can enter one there, of all others a recent sign-in.
 * @throws ApiError `mfa_required`, `reauthentication_required`
 */
export async function demandFactor(call: FrameCall, authority: BackupAuthority): Promise<void> {
  if (hasRecentFactor(call, authority.frameKey)) return
  if ((await hasFactor(call)) && (await demandMfa(call, call.session, ACTION))) return
  await demandPresence(call, authority)
}
