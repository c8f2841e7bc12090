/** Helpers that all routes of social sign-in share. */
import {
  generalError,
  invalidProvider,
  noAuthCode,
  oauthError,
  oauthStateMismatch,
  providerNotEnabled,
  sessionTimeout,
  signinError,
  telegramStateMismatch,
  tooManyRequests,
  verificationError,
} from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { ProvedCredential } from '../../accounts/credentials.js'
import type { Call } from '../../http/call.js'
import { ApiError } from '../../http/errors.js'
import { base64url } from '../../http/fields.js'
import { endFlow, type FlowProof, type ProvedAccount } from '../../social/flow.js'
import { prove } from '../../social/prove.js'
import type { ActiveProvider } from '../../social/registry.js'

const MAX_PARAMS = 40

export const providerErrors = [invalidProvider, providerNotEnabled] as const
/** Errors of exchanging and linking. */
export const proofErrors = [
  ...providerErrors,
  sessionTimeout,
  oauthStateMismatch,
  telegramStateMismatch,
  oauthError,
  noAuthCode,
  verificationError,
  signinError,
  generalError,
  tooManyRequests,
] as const

export const providerParams = v.object({ provider: v.pipe(v.string(), v.maxLength(64)) })
/** Random value created by the client. */
const secret = v.pipe(v.string(), v.minLength(43), v.maxLength(128), v.regex(/^[\w.~-]+$/))

const params = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(64)), v.pipe(v.string(), v.maxLength(8192))),
  v.check(record => Object.keys(record).length <= MAX_PARAMS, 'Too many'),
  v.description('What came back from the provider, unchanged'),
)
/** Fields that prove an account: the secrets of the flow, and the provider's response. */
export const proofBody = {
  flowId: v.pipe(v.string(), v.uuid()),
  state: secret,
  nonce: v.optional(secret),
  codeVerifier: secret,
  params: v.optional(params),
  code: v.optional(v.pipe(v.string(), v.maxLength(16_384), v.description('Instead of params'))),
}
export const hash = v.pipe(base64url(43), v.length(43))

/** @throws ApiError `invalid_provider`, `provider_not_enabled` */
export function activeProvider({ services, environment }: Call, id: string): ActiveProvider {
  if (!services.social.known.has(id)) throw new ApiError(invalidProvider)
  const active = environment.signIn.social.includes(id) ? services.social.get(id) : undefined
  if (!active) throw new ApiError(providerNotEnabled)
  return active
}

interface Proof extends FlowProof {
  readonly params?: Record<string, string> | undefined
  readonly code?: string | undefined
}

/** Expands a response that the client has parsed itself and sends as a single string. */
function expanded({ provider }: ActiveProvider, code: string, state: string): Record<string, string> {
  if (provider.protocol === 'telegram') return { tgAuthResult: code, state }
  if (provider.protocol === 'oauth2' && !provider.shops) return { code, state }
  return { ...Object.fromEntries(new URLSearchParams(code)), state }
}

/** Ends the flow, and proves the account with the provider's response. */
export async function proveAccount(
  call: Call,
  id: string,
  thumbprint: string,
  body: Proof,
): Promise<ProvedAccount & { readonly proved: ProvedCredential }> {
  const active = activeProvider(call, id)
  call.note({ provider: id })
  const flow = await endFlow(call, thumbprint, id, body)
  const callbackParams = body.code === undefined ? body.params : expanded(active, body.code, flow.stateHash)
  const account = await prove({ call, active, flow, params: callbackParams ?? {}, codeVerifier: body.codeVerifier })
  const { profile } = account
  const name = profile.username ?? profile.name
  return { ...account, proved: { method: 'oauth', provider: id, subject: profile.id, name, profile } }
}
