/** S5.11, S5.13–S5.15: what an answer must be before the API is asked about it. */
import { noAuthCode, oauthError, oauthStateMismatch, telegramStateMismatch } from '@keybay/kernel/spec'
import type { Answer } from './answer.js'
import type { Fail } from './faults.js'
import type { SocialProvider } from './provider.js'

/** The words of OAuth (RFC 6749, 4.1.2.1) and of some providers for a user who said no. */
const DENIED = /^(access_denied|consent_required|(user|login)_?(denied|cancel\w*))$/i
/** USER_REJECTED of S3.1: no error in a log. */
const USER_REJECTED = 2
/** How many of a provider's own words a user is shown, characters. */
const LONGEST_ERROR = 200

/** It is nobody's here, or somebody changed it. */
export function stateMismatch({ id }: Pick<SocialProvider, 'id'>, fail: Fail): Error {
  return fail(id === 'telegram' ? telegramStateMismatch : oauthStateMismatch)
}

/** @throws KeybayError `oauth_state_mismatch`, `telegram_state_mismatch`, `oauth_error`, `no_auth_code` */
export function checkAnswer(
  provider: SocialProvider,
  { state, error, code }: Answer,
  stateHash: string,
  fail: Fail,
): void {
  if (state !== stateHash) throw stateMismatch(provider, fail)
  if (error !== undefined) {
    const said = error.slice(0, LONGEST_ERROR)
    throw fail({ ...oauthError, ...(DENIED.test(said) && { walletCode: USER_REJECTED }) }, undefined, { error: said })
  }
  if (!code && !provider.withoutCode) throw fail(noAuthCode)
}
