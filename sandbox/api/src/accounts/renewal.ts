/** Renews sessions. Every open page does this regularly, so one statement spends the proof and renews the session. */

import { buildOnce } from '@keybay/sandbox-service/database'
import { and, eq, getTableColumns, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { proofs, sessions } from '../db/schema.js'
import type { ActiveSession, Call, UnspentProof } from '../http/call.js'
import { ApiError, sessionExpired, unauthorized } from '../http/errors.js'
import { refuseProof } from '../security/proof.js'
import { readRefreshToken } from '../security/tokens.js'
import { recordEvent } from '../security-log/events.js'
import { clearCookies, getTokens, refreshCookie, type Tokens } from './sessions.js'

/** Time in which a reused refresh token gets the same successor, in ms: for two tabs, or a lost response. */
const GRACE = 10_000

/** Matches by token and key, so a caller with the token but without the key learns and ends nothing. */
function alive(sessionId: unknown, environmentId: unknown, thumbprint: unknown, now: unknown): SQL | undefined {
  return and(
    eq(sessions.id, sql`${sessionId}`),
    eq(sessions.environmentId, sql`${environmentId}`),
    eq(sessions.thumbprint, sql`${thumbprint}`),
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, sql`${now}`),
  )
}

function prepare(db: Database) {
  const at = (name: string) => sql.placeholder(name)
  const fresh = db.$with('fresh').as(
    db
      .insert(proofs)
      .values({ id: at('proofId'), expiresAt: at('proofExpiresAt') })
      .onConflictDoNothing()
      .returning({ id: proofs.id }),
  )
  const renewed = db.$with('renewed').as(
    db
      .update(sessions)
      .set({
        refreshCounter: sql`${sessions.refreshCounter} + 1`,
        rotatedAt: sql`${at('now')}`,
        lastUsedAt: sql`${at('now')}`,
      })
      .where(
        and(
          alive(at('sessionId'), at('environmentId'), at('thumbprint'), at('now')),
          eq(sessions.refreshCounter, at('counter')),
          sql`exists (select 1 from fresh)`,
        ),
      )
      .returning(getTableColumns(sessions)),
  )
  return db
    .with(fresh, renewed)
    .select({ isFresh: sql<boolean>`exists (select 1 from fresh)`, session: renewed._.selectedFields })
    .from(sql`(select 1) as one`)
    .leftJoin(renewed, sql`true`)
    .prepare('renew')
}
const getStatement = buildOnce(prepare)

/**
 * Exchanges a refresh token for its successor. Reuse after more than {@link GRACE} means that the token was stolen, by
 * the thief or by the owner after a theft, so the whole family ends.
 * @throws ApiError `session_expired`, `unauthorized`, `invalid_proof`
 */
export async function renewSession(call: Call, { key, row }: UnspentProof, shown: string | undefined): Promise<Tokens> {
  const { services, environment } = call
  const { db, clock, hashes } = services
  const fromCookie = shown === undefined
  if (fromCookie && call.origin === undefined) throw new ApiError(unauthorized)
  const token = readRefreshToken(hashes, shown ?? call.cookie(refreshCookie(environment.id)) ?? '')
  if (!token) throw new ApiError(unauthorized)
  const now = clock.now()
  const { thumbprint } = key
  const [outcome] = await getStatement(db).execute({
    proofId: row.id,
    proofExpiresAt: row.expiresAt,
    sessionId: token.sessionId,
    environmentId: environment.id,
    thumbprint,
    counter: token.counter,
    now,
  })
  if (!outcome?.isFresh) throw refuseProof('replay', now)
  if (outcome.session) return getTokens(call, outcome.session)
  return renewAgain(call, thumbprint, token, fromCookie)
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
    .where(alive(token.sessionId, environment.id, thumbprint, now))
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
