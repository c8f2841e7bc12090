/** Renews sessions. Every open page does this regularly, so one statement spends the proof and renews the session. */
import { AUTHENTICATION_METHODS } from '@keybay/kernel/spec'
import { and, eq, gt, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { sessions } from '../db/schema.js'
import type { ActiveSession, Call, UnspentProof } from '../http/call.js'
import { ApiError, sessionExpired, unauthorized } from '../http/errors.js'
import { refuseProof } from '../security/proof.js'
import { readRefreshToken } from '../security/tokens.js'
import { recordEvent } from '../security-log/events.js'
import { clearCookies, getTokens, refreshCookie, type Tokens } from './sessions.js'

/** Time in which a reused refresh token gets the same successor, in ms: for two tabs, or a lost response. */
const GRACE = 10_000

/**
 * $1 and $2 the proof, $3 now, $4 to $7 session. Matches by token and key, so a caller with the token but without the key
 * learns and ends nothing.
 */
const RENEW = `
with fresh as (
  insert into proofs (id, expires_at) values ($1, $2::bigint) on conflict do nothing returning 1
), renewed as (
  update sessions set refresh_counter = refresh_counter + 1, rotated_at = $3::bigint, last_used_at = $3::bigint
  where id = $4 and environment_id = $5 and thumbprint = $6 and revoked_at is null and expires_at > $3::bigint
    and refresh_counter = $7::int and exists (select from fresh)
  returning json_build_object(
    'userId', user_id, 'method', method, 'authTime', auth_time, 'storage', storage, 'expiresAt', expires_at
  ) as session
)
select exists (select from fresh) as "isFresh", (select session from renewed) as session`

/** The caller has shown the rest of the session. */
const renewedSession = v.object({
  userId: v.string(),
  method: v.picklist(AUTHENTICATION_METHODS),
  authTime: v.number(),
  storage: v.picklist(['body', 'cookie']),
  expiresAt: v.number(),
})
const renewRows = v.tuple([v.object({ isFresh: v.boolean(), session: v.nullable(renewedSession) })])

/**
 * Exchanges a refresh token for its successor. Reuse after more than {@link GRACE} means that the token was stolen, by
 * the thief or by the owner after a theft, so the whole family ends.
 * @throws ApiError `session_expired`, `unauthorized`, `invalid_proof`
 */
export async function renewSession(call: Call, { key, row }: UnspentProof, shown: string | undefined): Promise<Tokens> {
  const { services, environment } = call
  const fromCookie = shown === undefined
  if (fromCookie && call.origin === undefined) throw new ApiError(unauthorized)
  const token = readRefreshToken(services.hashes, shown ?? call.cookie(refreshCookie(environment.id)) ?? '')
  if (!token) throw new ApiError(unauthorized)
  const now = services.clock.now()
  const { sessionId: id, counter } = token
  const values = [row.id, row.expiresAt, now, id, environment.id, key.thumbprint, counter]
  const [{ isFresh, session }] = v.parse(renewRows, [...(await services.query(RENEW, values))])
  if (!isFresh) throw refuseProof('replay', now)
  if (session) return getTokens(call, { ...key, ...session, id, refreshCounter: counter + 1 })
  return renewAgain(call, key.thumbprint, token, fromCookie)
}

/** Handles a token that is not the newest: reused in time, reused too late, or of no session. */
async function renewAgain(
  call: Call,
  thumbprint: string,
  token: { readonly sessionId: string; readonly counter: number },
  fromCookie: boolean,
): Promise<Tokens> {
  const { services, environment } = call
  const { db, clock } = services
  const now = clock.now()
  const [session]: ActiveSession[] = await db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.id, token.sessionId),
        eq(sessions.environmentId, environment.id),
        eq(sessions.thumbprint, thumbprint),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
      ),
    )
  if (!session) throw new ApiError(sessionExpired)
  const again = token.counter === session.refreshCounter - 1 && now - (session.rotatedAt ?? 0) <= GRACE
  if (again) return getTokens(call, session)
  await db.transaction(async tx => {
    await tx.update(sessions).set({ revokedAt: now }).where(eq(sessions.id, session.id))
    await recordEvent(call, tx, { userId: session.userId, kind: 'session-reused' })
  })
  services.log({ level: 'warn', message: 'refresh token used again: session revoked', sessionId: session.id })
  if (fromCookie) clearCookies(call)
  throw new ApiError(sessionExpired)
}
