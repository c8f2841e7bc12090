/** Routes of the user: read, change, merge, delete. */
import {
  blockedUserCannotTransferWallet,
  mergeAccountsInvalid,
  metadataSizeExceeded,
  tooManyRequests,
  usernameAlreadyExists,
  VERIFICATION_STEPS,
} from '@keybay/kernel/spec'
import { and, eq, ne, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { deleteUser, restoreUser } from '../accounts/deletion.js'
import { confirmMerge } from '../accounts/link.js'
import { clearCookies } from '../accounts/sessions.js'
import { findUserOfToken } from '../accounts/token-session.js'
import { exportUser, userExportSchema } from '../accounts/user-export.js'
import { userSchema, userView, viewUser } from '../accounts/user-view.js'
import { users } from '../db/schema.js'
import { ApiError, serviceUnavailable } from '../http/errors.js'
import { id } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'

const route = routesOf('user')

const MAX_METADATA_BYTES = 2048

const read = route('GET /users/me', {
  summary: 'Who is signed in. A host’s server may ask with its user’s token.',
  access: 'token',
  unfinished: true,
  answer: userSchema,
  run: async call => userView(call.environment, await findUserOfToken(call, call.token)),
})

const username = v.pipe(v.string(), v.regex(/^[\w.-]{3,32}$/))

const update = route('PATCH /users/me', {
  summary: 'Changes the user name or the metadata.',
  access: 'session',
  mfa: 'user.update',
  body: v.strictObject({
    username: v.optional(v.nullable(username)),
    metadata: v.optional(v.record(v.pipe(v.string(), v.maxLength(64)), v.unknown())),
  }),
  answer: userSchema,
  errors: [usernameAlreadyExists, metadataSizeExceeded],
  async run({ services, environment, session, body }) {
    const { username, metadata } = body
    if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
      throw new ApiError(metadataSizeExceeded, { mostBytes: MAX_METADATA_BYTES })
    await services.db.transaction(async tx => {
      if (typeof username === 'string') {
        // Take a lock per name, on every instance; the unique index alone would raise a database error instead.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`${environment.id} ${username.toLowerCase()}`}))`)
        const taken = and(
          eq(users.environmentId, environment.id),
          eq(sql`lower(${users.username})`, username.toLowerCase()),
          ne(users.id, session.userId),
        )
        if ((await tx.$count(users, taken)) > 0) throw new ApiError(usernameAlreadyExists)
      }
      if (username === undefined && metadata === undefined) return
      await tx
        .update(users)
        .set({ ...(username !== undefined && { username }), ...(metadata && { metadata }) })
        .where(eq(users.id, session.userId))
    })
    return viewUser(services, environment, session.userId)
  },
})

const merge = route('POST /users/me/merge', {
  summary: 'Confirms that another user’s credentials become this user’s, and that the other user ends.',
  access: 'session',
  mfa: 'user.update',
  unfinished: true,
  body: v.strictObject({ mergeId: id }),
  answer: v.object({ step: v.picklist(VERIFICATION_STEPS), user: userSchema }),
  errors: [mergeAccountsInvalid, blockedUserCannotTransferWallet, serviceUnavailable],
  async run(call) {
    await confirmMerge(call, call.body.mergeId)
    const { services, environment, session } = call
    return { step: 'verified-and-transferred' as const, user: await viewUser(services, environment, session.userId) }
  },
})

const remove = route('DELETE /users/me', {
  summary:
    'Ends all sessions and deletes the user 30 days later, with everything that belongs to it. Signing in still works until then.',
  access: 'session',
  mfa: 'user.update',
  unfinished: true,
  async run(call) {
    await deleteUser(call, call.session.userId)
    if (call.session.storage === 'cookie') clearCookies(call)
  },
})

const restore = route('POST /users/me/restore', {
  summary: 'Undoes the deletion of the user, as long as it has not been carried out.',
  access: 'session',
  mfa: 'user.update',
  unfinished: true,
  answer: userSchema,
  async run(call) {
    const { services, environment, session } = call
    await restoreUser(call, session.userId)
    return viewUser(services, environment, session.userId)
  },
})

const exportData = route('POST /users/me/export', {
  summary: 'Everything that the API, the relays and custody know about the user, as one document without secrets.',
  access: 'session',
  mfa: 'user.update',
  unfinished: true,
  answer: userExportSchema,
  errors: [serviceUnavailable, tooManyRequests],
  async run(call) {
    await call.services.limits.hit('data exports per user', call.session.userId)
    return exportUser(call, call.session.userId, true)
  },
})

export const userRoutes: readonly Route[] = [read, update, merge, remove, restore, exportData]
