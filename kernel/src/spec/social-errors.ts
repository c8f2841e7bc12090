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

export const accountAlreadyLinked = {
  code: 'account_already_linked',
  message: 'This account is already linked.',
} as const
export const accountAlreadyLinkedToDifferentProfile = {
  code: 'account_already_linked_to_different_profile',
  message: 'This account is already linked to a different profile.',
  walletCode: 7,
} as const
export const invalidProvider = { code: 'invalid_provider', message: 'Unknown social provider.', walletCode: 5 } as const
export const noAccountLinked = { code: 'no_account_linked', message: 'No account of this provider is linked.' } as const
/** S5.14 */
export const noAuthCode = {
  code: 'no_auth_code',
  message: 'Failed to connect {provider} social account: no authorization code',
} as const
export const noOauthUrl = { code: 'no_oauth_url', message: 'The provider has no sign-in URL.' } as const
export const noProvider = { code: 'no_provider', message: 'The social provider is missing.', walletCode: 5 } as const
/** S5.13; `error` is the provider's error. */
export const oauthError = {
  code: 'oauth_error',
  message: 'Failed to connect {provider} social account: {error}',
} as const
/** S8.3 */
export const oauthWindowBlocked = {
  code: 'oauth_window_blocked',
  message: 'Please allow popups and try again.',
} as const
export const oauthWindowClosed = {
  code: 'oauth_window_closed',
  message: 'The sign-in window closed before the sign-in was complete.',
} as const
export const oauthWindowTimeout = {
  code: 'oauth_window_timeout',
  message: 'The sign-in window did not finish in time.',
} as const
export const providerNotEnabled = { code: 'provider_not_enabled', message: 'This provider is not enabled.' } as const
/** S8.3 */
export const sessionTimeout = {
  code: 'session_timeout',
  message: 'Connecting {provider} account session timeout.',
} as const
export const signinError = { code: 'signin_error', message: 'Sign-in failed.' } as const
export const socialLinkingNotEnabled = {
  code: 'social_linking_not_enabled',
  message: 'Linking social accounts is not enabled.',
} as const
export const unlinkError = { code: 'unlink_error', message: 'The account could not be unlinked.' } as const
export const verificationError = {
  code: 'verification_error',
  message: 'The social account could not be verified.',
} as const
export const generalError = { code: 'general_error', message: 'Something went wrong with the social account.' } as const
/** S4.13: the popup was closed. */
export const userCancelled = { code: 'user_cancelled', message: 'User cancelled connection', walletCode: 2 } as const

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
