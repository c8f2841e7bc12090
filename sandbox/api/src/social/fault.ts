/** The errors of social sign-in, by what happened. Every message names the provider where the specification's does. */
import {
  generalError,
  noAuthCode,
  noOauthUrl,
  oauthError,
  oauthStateMismatch,
  sessionTimeout,
  signinError,
  telegramStateMismatch,
  verificationError,
  withValues,
} from '@keybay/kernel/spec'
import { ApiError } from '../http/errors.js'

const MOST_WORDS = 200

/** What a provider says is shown as one short line, whatever it is. */
const line = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_WORDS)

export const sessionOver = (provider: string): ApiError => new ApiError(withValues(sessionTimeout, { provider }))

export const stateMismatch = (provider: string): ApiError =>
  new ApiError(provider === 'telegram' ? telegramStateMismatch : withValues(oauthStateMismatch, { provider }))

export const nothingCame = (provider: string): ApiError => new ApiError(withValues(noAuthCode, { provider }))

/** The provider said no; `error` is its word for it. */
export const providerRefused = (provider: string, error: string): ApiError => {
  const said = line(error) || 'error'
  return new ApiError(withValues(oauthError, { provider, error: said }), { error: said })
}

/** What came is not to be believed. */
export const notVerified = (reason: string): ApiError => new ApiError(verificationError, { reason })

/** No answer, or a 5xx. */
export const unreachable = (): ApiError => new ApiError(signinError, { reason: 'unreachable' })

/** An answer that is not what the provider documents. */
export const unexpected = (reason: string): ApiError => new ApiError(generalError, { reason })

export const noAddress = (): ApiError => new ApiError(noOauthUrl)
