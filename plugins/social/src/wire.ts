/** The two calls of the product API, and what it answers to the first. */
import type { Entrance } from '@keybay/account'
import { generalError, noOauthUrl } from '@keybay/kernel/spec'
import type { Answer } from './answer.js'
import type { Fail } from './faults.js'
import type { SocialProvider } from './provider.js'
import { challengeOf, type FlowSecrets } from './secrets.js'
import type { SocialFlow } from './steps.js'

const field = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)
const isUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//.test(value)

/** @throws KeybayError `provider_not_enabled`, `no_oauth_url`, … */
export const beginFlow = async (
  entrance: Entrance,
  { id, scopes }: SocialProvider,
  { state, nonce, verifier }: FlowSecrets,
  { redirectUri, given, fail }: { readonly redirectUri: string; readonly given: object; readonly fail: Fail },
): Promise<SocialFlow> => {
  const codeChallenge = await challengeOf(verifier)
  const body = { redirectUri, state, nonce, codeChallenge, ...(scopes && { scopes }), ...given }
  const answer = await entrance.post(`social/${id}/flow`, body)
  const [flowId, authorizationUrl, expiresAt] = ['flowId', 'authorizationUrl', 'expiresAt'].map(name =>
    field(answer, name),
  )
  if (typeof flowId !== 'string' || typeof expiresAt !== 'number') throw fail(generalError)
  if (!isUrl(authorizationUrl)) throw fail(noOauthUrl)
  return { flowId, authorizationUrl, expiresAt }
}

/** @returns the proof of the credential */
export const finishFlow = (
  entrance: Entrance,
  flowId: string,
  { provider, code }: Answer,
  { state, verifier }: FlowSecrets,
): Promise<unknown> => entrance.post(`social/${provider}/exchange`, { flowId, state, codeVerifier: verifier, code })
