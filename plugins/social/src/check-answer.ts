/** S5.11, S5.13–S5.15: checks a response before it goes to the API. */
import { noAuthCode, oauthError, oauthStateMismatch, telegramStateMismatch } from '@keybay/kernel/spec'
import type { Answer } from './answer.js'
import type { Fail } from './fail.js'
import type { SocialProviderDefinition } from './provider.js'

/** Error values of OAuth (RFC 6749, 4.1.2.1) and of some providers for a refusal by the user. */
const DENIED = /^(access_denied|consent_required|(user|login)_?(denied|cancel\w*))$/i
/** USER_REJECTED of S3.1: not logged as an error. */
const USER_REJECTED = 2
/** Maximum length of a provider's error text in a message, in characters. */
const MAX_ERROR_LENGTH = 200

/** Makes the error for a response to another flow, or a forged one. */
export function stateMismatch({ id }: SocialProviderDefinition, fail: Fail): Error {
  return fail(id === 'telegram' ? telegramStateMismatch : oauthStateMismatch)
}
/** @throws KeybayError `oauth_state_mismatch`, `telegram_state_mismatch`, `oauth_error`, `no_auth_code` */
export function checkAnswer(
  provider: SocialProviderDefinition,
  { state, error, code }: Answer,
  stateHash: string,
  fail: Fail,
): void {
  if (state !== stateHash) throw stateMismatch(provider, fail)
  if (error !== undefined) {
    const text = error.slice(0, MAX_ERROR_LENGTH)
    throw fail({ ...oauthError, ...(DENIED.test(text) && { walletCode: USER_REJECTED }) }, undefined, { error: text })
  }
  if (!code && !provider.withoutCode) throw fail(noAuthCode)
}
