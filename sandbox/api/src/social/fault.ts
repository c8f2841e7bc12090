/** Errors of social sign-in, by cause. A message names the provider where the specification's does. */
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

const MAX_WORDS = 200

/** Shortens a provider's message to one line, whatever it contains. */
function line(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS)
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

/** The provider refused; `error` is its error code. */
export function providerRefused(provider: string, error: string): ApiError {
  const said = line(error) || 'error'
  return new ApiError(withValues(oauthError, { provider, error: said }), { error: said })
}

/** The provider's response cannot be trusted. */
export function notVerified(reason: string): ApiError {
  return new ApiError(verificationError, { reason })
}

/** The provider did not respond, or with a 5xx. */
export function unreachable(): ApiError {
  return new ApiError(signinError, { reason: 'unreachable' })
}

/** The provider's response does not match its documentation. */
export function unexpected(reason: string): ApiError {
  return new ApiError(generalError, { reason })
}

export function noAddress(): ApiError {
  return new ApiError(noOauthUrl)
}
