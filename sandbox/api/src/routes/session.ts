/** Sessions of the signed-in user: renewed, listed, ended. */
import { and, desc, eq, gt, isNull, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { getAccountName } from '../accounts/account-name.js'
import { renewSession } from '../accounts/renewal.js'
import { clearCookies, getAccessToken, tokensSchema } from '../accounts/sessions.js'
import { sessions } from '../db/schema.js'
import type { ActiveSession, Call } from '../http/call.js'
import { ApiError, notFound, sessionExpired, unauthorized } from '../http/errors.js'
import { id, time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { endFrameKeys } from '../mfa/frame-keys.js'
import { recordEvent } from '../security-log/events.js'

const route = routesOf('session')

/** Ends sessions of the user, and the keys of all wallet frames. Returns the number of sessions. */
async function endSessions(call: Call & { readonly session: ActiveSession }, which: 'all' | 'others'): Promise<number> {
  const { services, session } = call
  const { userId } = session
  return services.db.transaction(async tx => {
    const ended = await tx
      .update(sessions)
      .set({ revokedAt: services.clock.now() })
      .where(
        and(
          eq(sessions.userId, userId),
          isNull(sessions.revokedAt),
          which === 'others' ? ne(sessions.id, session.id) : undefined,
        ),
      )
      .returning({ id: sessions.id })
    await endFrameKeys(tx, userId)
    if (ended.length > 0) await recordEvent(call, tx, { userId, kind: 'sessions-ended' })
    return ended.length
  })
}

const refresh = route('POST /auth/refresh', {
  summary: 'Exchanges a refresh token, with the proof of its session key. In cookie mode the body is {}.',
  access: 'proof',
  body: v.strictObject({ refreshToken: v.optional(v.pipe(v.string(), v.maxLength(256))) }),
  answer: tokensSchema,
  errors: [unauthorized, sessionExpired],
  run: call => renewSession(call, call.proof, call.body.refreshToken),
})

const frameToken = route('POST /auth/frame-token', {
  summary: 'An access token for the wallet frame, which cannot read the cookies of a session.',
  access: 'session',
  unfinished: true,
  answer: v.object({ accessToken: v.string(), expiresAt: time }),
  run: async call => getAccessToken(call, call.session, 'bearer'),
})

const frameAccount = route('GET /auth/frame-account', {
  summary: 'From a wallet frame: what the user calls the account, which the page could misstate.',
  access: 'frame',
  unfinished: true,
  answer: v.object({ account: v.optional(v.string()) }),
  async run({ services, session }) {
    const account = await getAccountName(services, session.userId)
    return account === undefined ? {} : { account }
  },
})

const signOut = route('POST /auth/sign-out', {
  summary: 'Ends this session.',
  access: 'session',
  unfinished: true,
  async run(call) {
    const { services, session } = call
    await services.db.update(sessions).set({ revokedAt: services.clock.now() }).where(eq(sessions.id, session.id))
    if (session.storage === 'cookie') clearCookies(call)
  },
})

const signOutEverywhere = route('POST /auth/sign-out-everywhere', {
  summary: 'Ends all sessions of the user, this one too, with their refresh tokens, and the keys of all wallet frames.',
  access: 'session',
  unfinished: true,
  async run(call) {
    await endSessions(call, 'all')
    if (call.session.storage === 'cookie') clearCookies(call)
  },
})

const sessionSchema = v.object({
  id: v.string(),
  current: v.boolean(),
  method: v.string(),
  userAgent: v.nullable(v.string()),
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
})

const list = route('GET /sessions', {
  summary: 'The sessions of the user, the newest first.',
  access: 'bearer',
  unfinished: true,
  answer: v.object({ sessions: v.array(sessionSchema) }),
  async run({ services, session: { id: current, userId } }) {
    const rows = await services.db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, services.clock.now())))
      .orderBy(desc(sessions.lastUsedAt))
    return { sessions: rows.map(row => v.parse(sessionSchema, { ...row, current: row.id === current })) }
  },
})

const revoke = route('DELETE /sessions/{id}', {
  summary: 'Ends one session of the user.',
  access: 'session',
  unfinished: true,
  params: v.object({ id }),
  errors: [notFound],
  async run({ services, session, params }) {
    const [ended] = await services.db
      .update(sessions)
      .set({ revokedAt: services.clock.now() })
      .where(and(eq(sessions.id, params.id), eq(sessions.userId, session.userId), isNull(sessions.revokedAt)))
      .returning()
    if (!ended) throw new ApiError(notFound)
  },
})

const revokeOthers = route('DELETE /sessions', {
  summary: 'Ends all other sessions of the user, and the keys of all wallet frames.',
  access: 'session',
  unfinished: true,
  answer: v.object({ ended: v.number() }),
  run: async call => ({ ended: await endSessions(call, 'others') }),
})

export const sessionRoutes: readonly Route[] = [
  refresh,
  frameToken,
  frameAccount,
  signOut,
  signOutEverywhere,
  list,
  revoke,
  revokeOthers,
]
