/** The two calls of the product API. */
import type { Entrance } from '@keybay/account'
import type { Credential } from '@keybay/kernel'
import { field, generalError, noOauthUrl } from '@keybay/kernel/spec'
import type { Answer } from './answer.js'
import type { SocialInput, SocialMode } from './api.js'
import type { Fail } from './fail.js'
import type { SocialProviderDefinition } from './provider.js'
import type { FlowHashes, FlowSecrets } from './secrets.js'
import type { SocialFlow } from './steps.js'

interface FlowRequest {
  readonly hashes: FlowHashes
  readonly redirectUrl: string
  readonly mode: SocialMode
  /** The user's answer to the provider's question, by the name of its field. */
  readonly given: SocialInput
  readonly fail: Fail
}
/** @throws KeybayError `provider_not_enabled`, `no_oauth_url`, `general_error`, … */
export async function beginFlow(
  entrance: Entrance,
  { id, scopes }: SocialProviderDefinition,
  { hashes, redirectUrl, mode, given, fail }: FlowRequest,
): Promise<SocialFlow> {
  const body = { ...given, ...hashes, ...(scopes && { scopes }), redirectUrl, mode }
  const response = await entrance.post(`social/${id}/flow`, body)
  const [flowId, authorizationUrl] = [field(response, 'flowId'), field(response, 'authorizationUrl')]
  if (typeof flowId !== 'string' || !flowId) throw fail(generalError)
  if (typeof authorizationUrl !== 'string' || !/^https?:\/\//.test(authorizationUrl)) throw fail(noOauthUrl)
  return { flowId, authorizationUrl }
}
/** Exchanges the provider's response for a credential. @throws KeybayError with the server's code */
export async function finishFlow(
  entrance: Entrance,
  flowId: string,
  { provider, params }: Answer,
  secrets: FlowSecrets,
): Promise<Credential> {
  const proof = await entrance.post(`social/${provider}/exchange`, { flowId, ...secrets, params })
  return { method: 'oauth', provider, proof }
}
