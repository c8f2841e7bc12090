/** The two calls of the product API, and what it answers to the first. */
import type { Entrance } from '@keybay/account'
import { generalError, noOauthUrl } from '@keybay/kernel/spec'
import type { Answer } from './answer.js'
import type { SocialInput, SocialMode } from './api.js'
import type { Fail } from './faults.js'
import type { SocialProvider } from './provider.js'
import type { FlowHashes, FlowSecrets } from './secrets.js'
import type { SocialFlow } from './steps.js'

interface Begin {
  readonly hashes: FlowHashes
  readonly redirectUrl: string
  readonly mode: SocialMode
  /** What the provider has to know first. */
  readonly given: SocialInput
  readonly fail: Fail
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value)
}

/** @throws KeybayError `provider_not_enabled`, `no_oauth_url`, `general_error`, … */
export async function beginFlow(
  entrance: Entrance,
  { id, scopes }: SocialProvider,
  { hashes, redirectUrl, mode, given, fail }: Begin,
): Promise<SocialFlow> {
  const answer = await entrance.post(`social/${id}/flow`, {
    ...given,
    ...hashes,
    ...(scopes && { scopes }),
    redirectUrl,
    mode,
  })
  const field = (name: keyof SocialFlow): unknown => Reflect.get(Object(answer), name)
  const flowId = field('flowId')
  const authorizationUrl = field('authorizationUrl')
  if (typeof flowId !== 'string' || !flowId) throw fail(generalError)
  if (!isUrl(authorizationUrl)) throw fail(noOauthUrl)
  return { flowId, authorizationUrl }
}

/** @returns the proof of the credential @throws KeybayError with the server's code */
export function finishFlow(
  entrance: Entrance,
  flowId: string,
  { provider, params }: Answer,
  secrets: FlowSecrets,
): Promise<unknown> {
  return entrance.post(`social/${provider}/exchange`, { flowId, ...secrets, params })
}
