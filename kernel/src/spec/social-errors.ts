/**
 * Error codes of social sign-in (S8.2). `withValues` fills in `{provider}` in their messages.
 * The specification words some of the messages; the others are ours.
 */
import type { ErrorSpec } from './errors.js'

export const SOCIAL_ERROR_CODES = [
  'account_already_linked',
  'account_already_linked_to_different_profile',
  'invalid_provider',
  'no_account_linked',
  'no_auth_code',
  'no_oauth_url',
  'no_provider',
  'oauth_error',
  'oauth_window_blocked',
  'oauth_window_closed',
  'oauth_window_timeout',
  'provider_not_enabled',
  'session_timeout',
  'signin_error',
  'social_linking_not_enabled',
  'unlink_error',
  'verification_error',
  'general_error',
  'user_cancelled',
] as const
export type SocialErrorCode = (typeof SOCIAL_ERROR_CODES)[number]

export const accountAlreadyLinked: ErrorSpec<'account_already_linked'> = {
  code: 'account_already_linked',
  message: 'This account is already linked.',
}

export const accountAlreadyLinkedToDifferentProfile: ErrorSpec<'account_already_linked_to_different_profile'> = {
  code: 'account_already_linked_to_different_profile',
  message: 'This account is already linked to a different profile.',
  walletCode: 7,
}

export const invalidProvider: ErrorSpec<'invalid_provider'> = {
  code: 'invalid_provider',
  message: 'This is not a social provider that is known here.',
  walletCode: 5,
}

export const noAccountLinked: ErrorSpec<'no_account_linked'> = {
  code: 'no_account_linked',
  message: 'No account of this provider is linked.',
}

/** S5.14 */
export const noAuthCode: ErrorSpec<'no_auth_code'> = {
  code: 'no_auth_code',
  message: 'Failed to connect {provider} social account: no authorization code',
}

export const noOauthUrl: ErrorSpec<'no_oauth_url'> = {
  code: 'no_oauth_url',
  message: 'The provider has no address to sign in at.',
}

export const noProvider: ErrorSpec<'no_provider'> = {
  code: 'no_provider',
  message: 'No social provider was named.',
  walletCode: 5,
}

/** S5.13; `error` is the provider's error. */
export const oauthError: ErrorSpec<'oauth_error'> = {
  code: 'oauth_error',
  message: 'Failed to connect {provider} social account: {error}',
}

/** S8.3 */
export const oauthWindowBlocked: ErrorSpec<'oauth_window_blocked'> = {
  code: 'oauth_window_blocked',
  message: 'Please allow popups and try again.',
}

export const oauthWindowClosed: ErrorSpec<'oauth_window_closed'> = {
  code: 'oauth_window_closed',
  message: 'The sign-in window closed before it had finished.',
}

export const oauthWindowTimeout: ErrorSpec<'oauth_window_timeout'> = {
  code: 'oauth_window_timeout',
  message: 'The sign-in window did not finish in time.',
}

export const providerNotEnabled: ErrorSpec<'provider_not_enabled'> = {
  code: 'provider_not_enabled',
  message: 'This provider is not enabled.',
}

/** S8.3 */
export const sessionTimeout: ErrorSpec<'session_timeout'> = {
  code: 'session_timeout',
  message: 'Connecting {provider} account session timeout.',
}

export const signinError: ErrorSpec<'signin_error'> = { code: 'signin_error', message: 'Sign-in failed.' }

export const socialLinkingNotEnabled: ErrorSpec<'social_linking_not_enabled'> = {
  code: 'social_linking_not_enabled',
  message: 'Linking social accounts is not enabled.',
}

export const unlinkError: ErrorSpec<'unlink_error'> = {
  code: 'unlink_error',
  message: 'The account could not be unlinked.',
}

export const verificationError: ErrorSpec<'verification_error'> = {
  code: 'verification_error',
  message: 'The social account could not be verified.',
}

export const generalError: ErrorSpec<'general_error'> = {
  code: 'general_error',
  message: 'Something went wrong with the social account.',
}

/** S4.13: the popup was closed. */
export const userCancelled: ErrorSpec<'user_cancelled'> = {
  code: 'user_cancelled',
  message: 'User cancelled connection',
  walletCode: 2,
}

/** All social errors, for lookups by code. Importing this keeps every message in the bundle. */
export const SOCIAL_ERRORS: { readonly [Code in SocialErrorCode]: ErrorSpec<Code> } = {
  account_already_linked: accountAlreadyLinked,
  account_already_linked_to_different_profile: accountAlreadyLinkedToDifferentProfile,
  invalid_provider: invalidProvider,
  no_account_linked: noAccountLinked,
  no_auth_code: noAuthCode,
  no_oauth_url: noOauthUrl,
  no_provider: noProvider,
  oauth_error: oauthError,
  oauth_window_blocked: oauthWindowBlocked,
  oauth_window_closed: oauthWindowClosed,
  oauth_window_timeout: oauthWindowTimeout,
  provider_not_enabled: providerNotEnabled,
  session_timeout: sessionTimeout,
  signin_error: signinError,
  social_linking_not_enabled: socialLinkingNotEnabled,
  unlink_error: unlinkError,
  verification_error: verificationError,
  general_error: generalError,
  user_cancelled: userCancelled,
}
