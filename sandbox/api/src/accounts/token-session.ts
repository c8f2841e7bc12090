/** Finds the session of an access token. */

import { buildOnce } from '@keybay/sandbox-service/database'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { sessions } from '../db/schema.js'
import type { AccessToken, ActiveSession, Call } from '../http/call.js'
import { ApiError, sessionExpired, unauthorized } from '../http/errors.js'
import { accessCookie, getBearer, verifyAccessToken } from '../security/tokens.js'
import { userParts } from './user-view.js'

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

/** Returns the session if the token is valid for it now. @throws ApiError `unauthorized`, `session_expired` */
function checkSession<S extends ActiveSession>(call: Call, { isCookie, use }: AccessToken, session: S | undefined): S {
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
const getSessionWithUserStatement = buildOnce((db: Database) =>
  db.query.sessions.findFirst({ where: isOfToken, with: { user: { with: userParts } } }).prepare('session_with_user'),
)

/** Returns the user of a token. @throws ApiError `unauthorized`, `session_expired` */
export async function findUserOfToken(call: Call, token: AccessToken) {
  const { sessionId, userId } = token
  const session = await getSessionWithUserStatement(call.services.db).execute({ sessionId, userId })
  return checkSession(call, token, session).user
}
