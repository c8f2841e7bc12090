/** Ends a flow: the provider's response becomes a session or a linked credential. Also unlinks one. */
import {
  accountAlreadyLinked,
  accountAlreadyLinkedToDifferentProfile,
  mergeAccountsConfirmation,
  mergeAccountsInvalid,
  noAccountLinked,
  socialLinkingNotEnabled,
  unlinkError,
  VERIFICATION_STEPS,
} from '@keybay/kernel/spec'
import { and, desc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { findCredential } from '../../accounts/credentials.js'
import { link as linkCredential, unlink as unlinkCredential } from '../../accounts/link.js'
import { completeSignIn, signInErrors, signInSchema } from '../../accounts/sign-in.js'
import { credentialSchema, missingStep } from '../../accounts/user-view.js'
import { credentials } from '../../db/schema.js'
import type { Call } from '../../http/call.js'
import { ApiError, credentialNotFound, mfaRequired } from '../../http/errors.js'
import { id, signInFields } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import type { ProvedAccount } from '../../social/flow.js'
import { keepTokens, providerTokensSchema, readTokens } from '../../social/tokens.js'
import { counted } from '../sign-in/common.js'
import { proofBody, proofErrors, proveAccount, providerParams } from './common.js'

const route = routesOf('social')

async function keep({ services }: Call, credentialId: string | undefined, { tokens }: ProvedAccount) {
  if (credentialId !== undefined && tokens) await keepTokens(services, credentialId, tokens)
}

const exchange = route('POST /social/{provider}/exchange', {
  summary: 'Signs in with what came back from the provider.',
  access: 'key',
  params: providerParams,
  body: v.strictObject({ ...proofBody, ...signInFields }),
  answer: signInSchema,
  errors: [...proofErrors, ...signInErrors],
  async run(call) {
    await counted(call)
    const account = await proveAccount(call, call.params.provider, call.key.thumbprint, call.body)
    const answer = await completeSignIn(call, account.proved, call.body)
    const credential = await findCredential(call.services.db, call.environment.id, account.proved)
    await keep(call, credential?.id, account)
    return answer
  },
})

const link = route('POST /social/{provider}/link', {
  summary: 'Links what came back from the provider to who is signed in. The flow was begun with the session’s key.',
  access: 'session',
  mfa: 'user.update',
  params: providerParams,
  body: v.strictObject(proofBody),
  status: 201,
  answer: v.object({
    step: v.pipe(v.picklist(VERIFICATION_STEPS), v.description('What is still to be verified')),
    credential: credentialSchema,
  }),
  errors: [
    mfaRequired,
    ...proofErrors,
    socialLinkingNotEnabled,
    accountAlreadyLinked,
    accountAlreadyLinkedToDifferentProfile,
    mergeAccountsConfirmation,
    mergeAccountsInvalid,
  ],
  async run(call) {
    if (!call.environment.socialLinking) throw new ApiError(socialLinkingNotEnabled)
    await counted(call)
    const account = await proveAccount(call, call.params.provider, call.session.thumbprint, call.body)
    const credential = await linkCredential(call, account.proved)
    await keep(call, credential.id, account)
    return { credential, step: await missingStep(call.services.db, call.environment, call.session.userId) }
  },
})

function isLast(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'last_credential'
}

const unlink = route('DELETE /social/{provider}', {
  summary: 'Unlinks the account of the provider that was linked last, unless it is the last way to sign in.',
  access: 'session',
  mfa: 'user.update',
  params: providerParams,
  errors: [noAccountLinked, unlinkError],
  async run(call) {
    const [credential] = await call.services.db
      .select()
      .from(credentials)
      .where(
        and(
          eq(credentials.userId, call.session.userId),
          eq(credentials.method, 'oauth'),
          eq(credentials.provider, call.params.provider),
        ),
      )
      .orderBy(desc(credentials.createdAt))
      .limit(1)
    if (!credential) throw new ApiError(noAccountLinked)
    await unlinkCredential(call, credential.id).catch(error => {
      throw isLast(error) ? new ApiError(unlinkError) : error
    })
  },
})

const token = route('GET /social/{provider}/token', {
  summary: 'The user’s token for the provider’s own API, for the host’s server only.',
  access: 'api-token',
  scope: 'social',
  params: providerParams,
  query: v.strictObject({ userId: id }),
  answer: providerTokensSchema,
  errors: [credentialNotFound],
  async run({ services, environment, params, query }) {
    const [credential] = await services.db
      .select()
      .from(credentials)
      .where(
        and(
          eq(credentials.environmentId, environment.id),
          eq(credentials.userId, query.userId),
          eq(credentials.method, 'oauth'),
          eq(credentials.provider, params.provider),
        ),
      )
      .orderBy(desc(credentials.lastUsedAt))
      .limit(1)
    const providerTokens = credential && (await readTokens(services, credential.id))
    if (!providerTokens) throw new ApiError(credentialNotFound)
    return providerTokens
  },
})

export const endRoutes: readonly Route[] = [exchange, link, unlink, token]
