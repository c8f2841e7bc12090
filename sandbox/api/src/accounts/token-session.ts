/** Finds the session of an access token. */

import { buildOnce } from '@keybay/sandbox-service/database'
import { timeColumn } from '@keybay/sandbox-service/windows'
import { and, eq, isNull, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { sessions } from '../db/schema.js'
import type { AccessToken, ActiveSession, Call } from '../http/call.js'
import { ApiError, sessionExpired, unauthorized } from '../http/errors.js'
import { accessCookie, getBearer, verifyAccessToken } from '../security/tokens.js'
import { selectUser, type UserRow, userRowSchema } from './user-row.js'

/** Reads the token of a request. The caller must check its session. @throws ApiError `unauthorized`, `session_expired` */
export function readAccessToken(call: Call): AccessToken {
  const { services, environment } = call
  const bearer = getBearer(call)
  const token = bearer ?? call.cookie(accessCookie(environment.id))
  if (token === undefined) throw new ApiError(unauthorized)
  // Browsers send cookies from any site (CSRF), so only a page of the environment may act with one.
  if (bearer === undefined && call.method !== 'GET' && call.origin === undefined) throw new ApiError(unauthorized)
  return { ...verifyAccessToken(services, environment, token), isCookie: bearer === undefined }
}

type CheckedSession = Pick<ActiveSession, 'id' | 'userId' | 'storage' | 'expiresAt'>

/** Returns the session if the token is valid for it now. @throws ApiError `unauthorized`, `session_expired` */
function checkSession<S extends CheckedSession>(call: Call, { isCookie, use }: AccessToken, session: S | undefined): S {
  if (!session || session.expiresAt <= call.services.clock.now()) throw new ApiError(sessionExpired)
  // A proof for a cookie names no token, so a token that scripts can read is none.
  if (isCookie && (session.storage !== 'cookie' || use === 'bearer')) throw new ApiError(unauthorized)
  call.note({ userId: session.userId, sessionId: session.id })
  return session
}

const isOfToken = and(
  eq(sessions.id, sql.placeholder('sessionId')),
  eq(sessions.userId, sql.placeholder('userId')),
  isNull(sessions.revokedAt),
)

const getSessionStatement = buildOnce((db: Database) => db.select().from(sessions).where(isOfToken).prepare('session'))

/** Returns the session of a token. @throws ApiError `unauthorized`, `session_expired` */
export async function findSession(call: Call, token: AccessToken): Promise<ActiveSession> {
  const { sessionId, userId } = token
  const [session] = await getSessionStatement(call.services.db).execute({ sessionId, userId })
  return checkSession(call, token, session)
}

/** Reads the session and its user in one statement: pages read their user at each visit. */
const SELECT_SESSION_WITH_USER = `
select sessions.id, user_id as "userId", storage, expires_at as "expiresAt", ${selectUser()} as "user"
from sessions join users as shown on shown.id = user_id
where sessions.id = $1 and user_id = $2 and revoked_at is null`

const sessionsWithUser = v.array(
  v.object({
    ...{ id: v.string(), userId: v.string(), storage: v.picklist(['body', 'cookie']), expiresAt: timeColumn },
    user: userRowSchema,
  }),
)

/** Returns the user of a token. @throws ApiError `unauthorized`, `session_expired` */
export async function findUserOfToken(call: Call, token: AccessToken): Promise<UserRow> {
  const rows = await call.services.query(SELECT_SESSION_WITH_USER, [token.sessionId, token.userId])
  const [session] = v.parse(sessionsWithUser, rows)
  return checkSession(call, token, session).user
}
