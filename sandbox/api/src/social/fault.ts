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
function line(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_WORDS)
}

export function sessionOver(provider: string): ApiError {
  return new ApiError(withValues(sessionTimeout, { provider }))
}

export function stateMismatch(provider: string): ApiError {
  return new ApiError(provider === 'telegram' ? telegramStateMismatch : withValues(oauthStateMismatch, { provider }))
}

export function nothingCame(provider: string): ApiError {
  return new ApiError(withValues(noAuthCode, { provider }))
}

/** The provider said no; `error` is its word for it. */
export function providerRefused(provider: string, error: string): ApiError {
  const said = line(error) || 'error'
  return new ApiError(withValues(oauthError, { provider, error: said }), { error: said })
}

/** What came is not to be believed. */
export function notVerified(reason: string): ApiError {
  return new ApiError(verificationError, { reason })
}

/** No answer, or a 5xx. */
export function unreachable(): ApiError {
  return new ApiError(signinError, { reason: 'unreachable' })
}

/** An answer that is not what the provider documents. */
export function unexpected(reason: string): ApiError {
  return new ApiError(generalError, { reason })
}

export function noAddress(): ApiError {
  return new ApiError(noOauthUrl)
}
