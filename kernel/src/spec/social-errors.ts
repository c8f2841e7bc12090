/**
 * Codes of social sign-in (S8.2). Those with `{provider}` in the message are completed by `withValues`.
 * The messages that the specification words are its own; the others are ours.
 */
import { type ErrorSpec, errorSpec } from '../errors.js'

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

export const accountAlreadyLinked: ErrorSpec<'account_already_linked'> = /* @__PURE__ */ errorSpec(
  'account_already_linked',
  'This account is already linked.',
)

export const accountAlreadyLinkedToDifferentProfile: ErrorSpec<'account_already_linked_to_different_profile'> =
  /* @__PURE__ */ errorSpec(
    'account_already_linked_to_different_profile',
    'This account is already linked to a different profile.',
    7,
  )

export const invalidProvider: ErrorSpec<'invalid_provider'> = /* @__PURE__ */ errorSpec(
  'invalid_provider',
  'This is not a social provider that is known here.',
  5,
)

export const noAccountLinked: ErrorSpec<'no_account_linked'> = /* @__PURE__ */ errorSpec(
  'no_account_linked',
  'No account of this provider is linked.',
)

/** S5.14 */
export const noAuthCode: ErrorSpec<'no_auth_code'> = /* @__PURE__ */ errorSpec(
  'no_auth_code',
  'Failed to connect {provider} social account: no authorization code',
)

export const noOauthUrl: ErrorSpec<'no_oauth_url'> = /* @__PURE__ */ errorSpec(
  'no_oauth_url',
  'The provider has no address to sign in at.',
)

export const noProvider: ErrorSpec<'no_provider'> = /* @__PURE__ */ errorSpec(
  'no_provider',
  'No social provider was named.',
  5,
)

/** S5.13; `error` is what the provider said. */
export const oauthError: ErrorSpec<'oauth_error'> = /* @__PURE__ */ errorSpec(
  'oauth_error',
  'Failed to connect {provider} social account: {error}',
)

/** S8.3 */
export const oauthWindowBlocked: ErrorSpec<'oauth_window_blocked'> = /* @__PURE__ */ errorSpec(
  'oauth_window_blocked',
  'Please allow popups and try again.',
)

export const oauthWindowClosed: ErrorSpec<'oauth_window_closed'> = /* @__PURE__ */ errorSpec(
  'oauth_window_closed',
  'The sign-in window closed before it had finished.',
)

export const oauthWindowTimeout: ErrorSpec<'oauth_window_timeout'> = /* @__PURE__ */ errorSpec(
  'oauth_window_timeout',
  'The sign-in window did not finish in time.',
)

export const providerNotEnabled: ErrorSpec<'provider_not_enabled'> = /* @__PURE__ */ errorSpec(
  'provider_not_enabled',
  'This provider is not enabled.',
)

/** S8.3 */
export const sessionTimeout: ErrorSpec<'session_timeout'> = /* @__PURE__ */ errorSpec(
  'session_timeout',
  'Connecting {provider} account session timeout.',
)

export const signinError: ErrorSpec<'signin_error'> = /* @__PURE__ */ errorSpec('signin_error', 'Sign-in failed.')

export const socialLinkingNotEnabled: ErrorSpec<'social_linking_not_enabled'> = /* @__PURE__ */ errorSpec(
  'social_linking_not_enabled',
  'Linking social accounts is not enabled.',
)

export const unlinkError: ErrorSpec<'unlink_error'> = /* @__PURE__ */ errorSpec(
  'unlink_error',
  'The account could not be unlinked.',
)

export const verificationError: ErrorSpec<'verification_error'> = /* @__PURE__ */ errorSpec(
  'verification_error',
  'The social account could not be verified.',
)

export const generalError: ErrorSpec<'general_error'> = /* @__PURE__ */ errorSpec(
  'general_error',
  'Something went wrong with the social account.',
)

/** S4.13: the popup was closed. */
export const userCancelled: ErrorSpec<'user_cancelled'> = /* @__PURE__ */ errorSpec(
  'user_cancelled',
  'User cancelled connection',
  2,
)

/** All of them, for what looks one up by its code. Naming this keeps every message in the bundle. */
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
