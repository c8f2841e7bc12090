/** Credentials of the signed-in user: linked by proving them, renamed, unlinked. */
import {
  accountAlreadyLinked,
  blockedUserCannotTransferWallet,
  emailAlreadyExists,
  mergeAccountsConfirmation,
  mergeAccountsInvalid,
  tooManyRequests,
  VERIFICATION_STEPS,
} from '@keybay/kernel/spec'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { type Channel, checkCode, describeChannel, sendCode, sentSchema } from '../accounts/codes.js'
import type { ProvedCredential } from '../accounts/credentials.js'
import { proveExternal } from '../accounts/external.js'
import { link, unlink } from '../accounts/link.js'
import { optionsSchema, registrationSchema } from '../accounts/passkey-schemas.js'
import { beginRegistration, finishRegistration, getPasskeys } from '../accounts/passkeys.js'
import { credentialSchema, credentialView, embeddedWalletView, missingStep } from '../accounts/user-view.js'
import { proveWallet, walletProofSchema } from '../accounts/wallet.js'
import { credentials, users } from '../db/schema.js'
import { findEmbeddedWallet, renameEmbeddedWallet } from '../embedded/wallets.js'
import type { ActiveSession, Call } from '../http/call.js'
import {
  ApiError,
  credentialIsFactor,
  credentialIsWallet,
  credentialNotFound,
  invalidExternalToken,
  invalidMessage,
  invalidNonce,
  invalidPasskey,
  invalidSignature,
  lastCredential,
  methodNotEnabled,
  mfaRequired,
  sessionExpired,
} from '../http/errors.js'
import { code, id, name, walletLabel } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'

const route = routesOf('credentials')

const linking = [
  accountAlreadyLinked,
  blockedUserCannotTransferWallet,
  mergeAccountsConfirmation,
  mergeAccountsInvalid,
] as const

const linkedSchema = v.object({
  step: v.pipe(v.picklist(VERIFICATION_STEPS), v.description('What is still to be verified')),
  credential: credentialSchema,
})

async function linked(call: Call & { readonly session: ActiveSession }, proved: ProvedCredential) {
  return {
    credential: await link(call, proved),
    step: await missingStep(call.services.db, call.environment, call.session.userId),
  }
}

const wallet = route('POST /users/me/credentials/wallet', {
  summary: 'Links a wallet; the proof is that of a sign-in.',
  access: 'session',
  mfa: 'user.update',
  body: v.strictObject({ proof: walletProofSchema }),
  status: 201,
  answer: linkedSchema,
  errors: [...linking, invalidMessage, invalidNonce, invalidSignature, methodNotEnabled],
  run: async call => linked(call, await proveWallet(call, call.body.proof, call.session.thumbprint)),
})

/** Binds a code to linking and to one user, so that it can neither sign in nor link to another user. */
function getPurpose({ userId }: ActiveSession): string {
  return `link ${userId}`
}

function codeRoutes(channel: Channel): Route[] {
  const { field, body, addressErrors, codeErrors } = describeChannel(channel)
  return [
    route(`POST /users/me/credentials/${channel}`, {
      summary: 'Sends a code to the address that is to be linked.',
      access: 'session',
      unfinished: true,
      body,
      status: 202,
      answer: sentSchema,
      errors: [mfaRequired, ...addressErrors, tooManyRequests],
      async run(call) {
        const to = call.body[field]
        const { thumbprint, userId } = call.session
        return sendCode(call, { channel, to, thumbprint, purpose: getPurpose(call.session), linksTo: userId })
      },
    }),
    route(`POST /users/me/credentials/${channel}/verify`, {
      summary: 'Links the address with the code.',
      access: 'session',
      mfa: 'user.update',
      unfinished: true,
      body: v.strictObject({ verificationId: id, code }),
      status: 201,
      answer: linkedSchema,
      errors: [...linking, ...codeErrors, ...(channel === 'email' ? [emailAlreadyExists] : [])],
      async run(call) {
        const { session, body } = call
        const expected = { channel, thumbprint: session.thumbprint, purpose: getPurpose(session) }
        const { proved, recipient } = await checkCode(call, expected, body)
        await call.services.limits.remember(call, recipient)
        return linked(call, proved)
      },
    }),
  ]
}

const external = route('POST /users/me/credentials/external', {
  summary: 'Links the user of the host.',
  access: 'session',
  mfa: 'user.update',
  body: v.strictObject({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)) }),
  status: 201,
  answer: linkedSchema,
  errors: [...linking, invalidExternalToken],
  run: async call => linked(call, await proveExternal(call, call.body.token)),
})

const passkeyOptions = route('POST /users/me/passkeys/options', {
  summary: 'WebAuthn options to make a passkey.',
  access: 'session',
  status: 201,
  answer: optionsSchema,
  errors: [mfaRequired],
  async run(call) {
    const { services, session } = call
    const [user] = await services.db.select().from(users).where(eq(users.id, session.userId))
    if (!user) throw new ApiError(sessionExpired)
    const [email] = await services.db
      .select({ subject: credentials.subject })
      .from(credentials)
      .where(and(eq(credentials.userId, user.id), eq(credentials.method, 'email')))
    return beginRegistration(call, {
      kind: 'passkey-register',
      thumbprint: session.thumbprint,
      userId: user.id,
      handle: user.passkeyHandle,
      userName: user.username ?? email?.subject ?? 'User',
      exclude: await getPasskeys(call, user.id),
    })
  },
})

const passkey = route('POST /users/me/passkeys', {
  summary: 'Links the new passkey.',
  access: 'session',
  mfa: 'user.update',
  body: v.strictObject({ challengeId: id, response: registrationSchema, name: v.optional(name) }),
  status: 201,
  answer: linkedSchema,
  errors: [invalidPasskey, accountAlreadyLinked],
  async run(call) {
    const { session, body } = call
    const key = { id: body.challengeId, kind: 'passkey-register', thumbprint: session.thumbprint } as const
    const { proved, userId } = await finishRegistration(call, key, body.response, body.name)
    if (userId !== session.userId) throw new ApiError(invalidPasskey)
    return linked(call, proved)
  },
})

const rename = route('PATCH /users/me/credentials/{id}', {
  summary: 'Renames a passkey or a wallet.',
  access: 'session',
  mfa: 'user.update',
  params: v.object({ id }),
  body: v.strictObject({ name: walletLabel }),
  answer: credentialSchema,
  errors: [credentialNotFound],
  async run({ services, session, params, body }) {
    const embedded = await findEmbeddedWallet(services.db, session.userId, params.id)
    if (embedded) return embeddedWalletView(await renameEmbeddedWallet(services.db, embedded, body.name))
    const [row] = await services.db
      .select()
      .from(credentials)
      .where(and(eq(credentials.id, params.id), eq(credentials.userId, session.userId)))
    // Other credentials have no name to change; a social user name comes from the provider.
    if (!row || (row.method !== 'passkey' && row.method !== 'blockchain')) throw new ApiError(credentialNotFound)
    await services.db.update(credentials).set({ name: body.name }).where(eq(credentials.id, row.id))
    return credentialView({ ...row, name: body.name })
  },
})

const remove = route('DELETE /users/me/credentials/{id}', {
  summary: 'Unlinks a credential, unless it is the last one, or what a second factor works with.',
  access: 'session',
  mfa: 'user.update',
  params: v.object({ id }),
  errors: [credentialNotFound, credentialIsWallet, lastCredential, credentialIsFactor],
  run: async call => unlink(call, call.params.id),
})

export const credentialRoutes: readonly Route[] = [
  wallet,
  ...codeRoutes('email'),
  ...codeRoutes('phone'),
  external,
  passkeyOptions,
  passkey,
  rename,
  remove,
]
