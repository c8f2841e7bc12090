/** Begins sessions and issues their tokens. */
import { randomUUID } from 'node:crypto'
import type { AuthenticationMethod } from '@keybay/kernel/spec'
import { and, eq, gt, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { sessions } from '../db/schema.js'
import type { ActiveSession, Call, ProvedKey } from '../http/call.js'
import { ApiError, sessionExpired, unauthorized } from '../http/errors.js'
import { time } from '../http/fields.js'
import { accessCookie, refreshToken, signAccessToken } from '../security/tokens.js'
import { assertNotBlocked } from './blocking.js'

const DAY = 86_400_000
const MAX_USER_AGENT = 300

export type TokenStorage = ActiveSession['storage']

export const tokensSchema = v.object({
  sessionId: v.string(),
  accessToken: v.optional(v.pipe(v.string(), v.description('Absent with cookie storage'))),
  refreshToken: v.optional(v.string()),
  expiresAt: v.pipe(time, v.description('Of the access token')),
  sessionExpiresAt: time,
})
export type Tokens = v.InferOutput<typeof tokensSchema>

export function refreshCookie(environmentId: string): string {
  return `keybay_refresh_${environmentId}`
}

function setCookies(call: Call, access: string, refresh: string, seconds: number): void {
  const path = `/api/v0/sdk/${call.environment.id}`
  const maxAge = Math.max(0, seconds)
  call.setCookie({ name: accessCookie(call.environment.id), value: access, path, maxAge })
  call.setCookie({ name: refreshCookie(call.environment.id), value: refresh, path: `${path}/auth`, maxAge })
}

export function clearCookies(call: Call): void {
  setCookies(call, '', '', 0)
}

type TokenSession = Pick<ActiveSession, 'id' | 'userId' | 'thumbprint' | 'publicKey' | 'method' | 'authTime'>

/** Returns a new access token of a session. @param use `bearer`: not accepted as a cookie */
export function getAccessToken({ services, environment }: Call, session: TokenSession, use?: 'bearer') {
  return {
    accessToken: signAccessToken(services, environment, { ...session, sessionId: session.id, ...(use && { use }) }),
    expiresAt: (Math.floor(services.clock.now() / 1000) + environment.session.accessTokenSeconds) * 1000,
  }
}

/** Returns the current tokens of a session, as cookies if the session stores them in cookies. */
export function getTokens(
  call: Call,
  session: TokenSession & Pick<ActiveSession, 'refreshCounter' | 'storage' | 'expiresAt'>,
): Tokens {
  const { hashes, clock } = call.services
  const { accessToken, expiresAt } = getAccessToken(call, session)
  const refresh = refreshToken(hashes, session.id, session.refreshCounter)
  const facts = { sessionId: session.id, expiresAt, sessionExpiresAt: session.expiresAt }
  if (session.storage === 'body') return { ...facts, accessToken, refreshToken: refresh }
  setCookies(call, accessToken, refresh, Math.floor((session.expiresAt - clock.now()) / 1000))
  return facts
}

export interface NewSession {
  readonly userId: string
  readonly method: AuthenticationMethod
  /** Credential that signs in. */
  readonly credentialId: string
  /** True if the sign-in proved a second factor too. */
  readonly hasSecondFactor: boolean
  readonly key: ProvedKey
  readonly storage: TokenStorage
}

/** New session, before its user is known. */
export type SessionStart = Omit<ActiveSession, 'userId' | 'credentialId'>

/** @throws ApiError `unauthorized` for cookies that no page of the environment requested (login CSRF) */
export function startSession(
  call: Call,
  { method, hasSecondFactor, key, storage }: Omit<NewSession, 'userId' | 'credentialId'>,
): SessionStart {
  if (storage === 'cookie' && call.origin === undefined) throw new ApiError(unauthorized)
  const { services, environment } = call
  const now = services.clock.now()
  return {
    // Always a new ID: any session that the caller had or was given before is ignored (fixation).
    id: randomUUID(),
    environmentId: environment.id,
    thumbprint: key.thumbprint,
    publicKey: key.publicKey,
    method,
    hasSecondFactor,
    authTime: now,
    storage,
    userAgent: call.header('user-agent')?.slice(0, MAX_USER_AGENT) ?? null,
    refreshCounter: 0,
    rotatedAt: null,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + environment.session.days * DAY,
    revokedAt: null,
  }
}

/** @throws ApiError `unauthorized`, `blocked_user_cannot_transfer_wallet` */
export async function beginSession(call: Call, { userId, credentialId, ...facts }: NewSession): Promise<ActiveSession> {
  const session = { ...startSession(call, facts), userId, credentialId }
  await call.services.db.transaction(async tx => {
    await assertNotBlocked(tx, userId)
    await tx.insert(sessions).values(session)
  })
  return session
}

function isOwn(call: Call, sessionId: string, { thumbprint }: ProvedKey) {
  return and(
    eq(sessions.id, sessionId),
    eq(sessions.environmentId, call.environment.id),
    eq(sessions.thumbprint, thumbprint),
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, call.services.clock.now()),
  )
}

/** Returns the session of this key. @throws ApiError `session_expired` */
export async function findOwnSession(call: Call, sessionId: string, key: ProvedKey): Promise<ActiveSession> {
  const [session] = await call.services.db
    .select()
    .from(sessions)
    .where(isOwn(call, sessionId, key))
  if (!session) throw new ApiError(sessionExpired)
  return session
}

/**
 * Records that the user of a session has just signed in again. From now on the session ends with that credential.
 * @throws ApiError `session_expired`
 */
export async function confirmSession(
  call: Call,
  sessionId: string,
  {
    credentialId,
    method,
    hasSecondFactor,
    key,
  }: Pick<NewSession, 'credentialId' | 'method' | 'hasSecondFactor' | 'key'>,
): Promise<{ authTime: number }> {
  const authTime = call.services.clock.now()
  const changes = { credentialId, method, hasSecondFactor, authTime, lastUsedAt: authTime }
  const [session] = await call.services.db
    .update(sessions)
    .set(changes)
    .where(isOwn(call, sessionId, key))
    .returning({ id: sessions.id })
  if (!session) throw new ApiError(sessionExpired)
  return { authTime }
}
