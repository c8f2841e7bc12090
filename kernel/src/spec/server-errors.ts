/**
 * Server error codes from the specification (S8.1). It defines only the codes; the messages are ours, except "The
 * code is invalid or expired." (S8.3). A server may send its own message or an unlisted code: both are kept
 * unchanged.
 */
import { type ErrorSpec, errorSpec } from './errors.js'

export const SERVER_ERROR_CODES = [
  'email_cannot_be_null',
  'invalid_email',
  'email_already_exists',
  'username_already_exists',
  'wrong_email_verification_token',
  'wrong_sms_verification_token',
  'too_many_verification_attempts',
  'too_many_email_verification_attempts',
  'too_many_sms_verification_attempts',
  'too_many_requests',
  'too_many_api_tokens',
  'transfer_amount_too_small',
  'transfer_address_not_whitelisted',
  'transfer_mfa_required',
  'transfer_mfa_failed',
  'invalid_transfer_funds',
  'mfa_invalid_code',
  'mfa_device_not_found',
  'merge_accounts_confirmation',
  'merge_accounts_invalid',
  'wallet_not_deployed',
  'too_many_embedded_wallets_for_user',
  'too_many_embedded_wallets_per_chain_for_user',
  'wallet_account_exists_for_chain',
  'embedded_wallet_address_already_linked',
  'invalid_session_public_key',
  'key_share_already_backed_up',
  'invalid_key_shares_length',
  'unable_to_fetch_balances',
  'metadata_size_exceeded',
  'blocked_user_cannot_transfer_wallet',
  'email_recovery_disabled',
  'invalid_phone',
] as const
export type ServerErrorCode = (typeof SERVER_ERROR_CODES)[number]

export const emailCannotBeNull: ErrorSpec<'email_cannot_be_null'> = /* @__PURE__ */ errorSpec(
  'email_cannot_be_null',
  'An email address is needed.',
)

export const invalidEmail: ErrorSpec<'invalid_email'> = /* @__PURE__ */ errorSpec(
  'invalid_email',
  'The email address is not valid.',
)

export const emailAlreadyExists: ErrorSpec<'email_already_exists'> = /* @__PURE__ */ errorSpec(
  'email_already_exists',
  'This email address is already in use.',
)

export const usernameAlreadyExists: ErrorSpec<'username_already_exists'> = /* @__PURE__ */ errorSpec(
  'username_already_exists',
  'This user name is already in use.',
)

export const wrongEmailVerificationToken: ErrorSpec<'wrong_email_verification_token'> = /* @__PURE__ */ errorSpec(
  'wrong_email_verification_token',
  'The code is invalid or expired.',
)

export const wrongSmsVerificationToken: ErrorSpec<'wrong_sms_verification_token'> = /* @__PURE__ */ errorSpec(
  'wrong_sms_verification_token',
  'The code is invalid or expired.',
)

export const tooManyVerificationAttempts: ErrorSpec<'too_many_verification_attempts'> = /* @__PURE__ */ errorSpec(
  'too_many_verification_attempts',
  'Too many attempts. Ask for a new code.',
)

export const tooManyEmailVerificationAttempts: ErrorSpec<'too_many_email_verification_attempts'> =
  /* @__PURE__ */ errorSpec('too_many_email_verification_attempts', 'Too many attempts. Ask for a new code by email.')

export const tooManySmsVerificationAttempts: ErrorSpec<'too_many_sms_verification_attempts'> =
  /* @__PURE__ */ errorSpec('too_many_sms_verification_attempts', 'Too many attempts. Ask for a new code by SMS.')

export const tooManyRequests: ErrorSpec<'too_many_requests'> = /* @__PURE__ */ errorSpec(
  'too_many_requests',
  'Too many requests. Try again later.',
)

export const tooManyApiTokens: ErrorSpec<'too_many_api_tokens'> = /* @__PURE__ */ errorSpec(
  'too_many_api_tokens',
  'The environment has as many API tokens as it may have.',
)

export const transferAmountTooSmall: ErrorSpec<'transfer_amount_too_small'> = /* @__PURE__ */ errorSpec(
  'transfer_amount_too_small',
  'The amount is too small to transfer.',
)

export const transferAddressNotWhitelisted: ErrorSpec<'transfer_address_not_whitelisted'> = /* @__PURE__ */ errorSpec(
  'transfer_address_not_whitelisted',
  'Transfers to this address are not allowed.',
)

export const transferMfaRequired: ErrorSpec<'transfer_mfa_required'> = /* @__PURE__ */ errorSpec(
  'transfer_mfa_required',
  'This transfer needs a second factor.',
)

export const transferMfaFailed: ErrorSpec<'transfer_mfa_failed'> = /* @__PURE__ */ errorSpec(
  'transfer_mfa_failed',
  'The second factor for this transfer was not accepted.',
)

export const invalidTransferFunds: ErrorSpec<'invalid_transfer_funds'> = /* @__PURE__ */ errorSpec(
  'invalid_transfer_funds',
  'The transfer is larger than the funds.',
)

export const mfaInvalidCode: ErrorSpec<'mfa_invalid_code'> = /* @__PURE__ */ errorSpec(
  'mfa_invalid_code',
  'The code is invalid or expired.',
)

export const mfaDeviceNotFound: ErrorSpec<'mfa_device_not_found'> = /* @__PURE__ */ errorSpec(
  'mfa_device_not_found',
  'There is no such second factor.',
)

export const mergeAccountsConfirmation: ErrorSpec<'merge_accounts_confirmation'> = /* @__PURE__ */ errorSpec(
  'merge_accounts_confirmation',
  'This belongs to another user of yours. Confirm to merge the two.',
)

export const mergeAccountsInvalid: ErrorSpec<'merge_accounts_invalid'> = /* @__PURE__ */ errorSpec(
  'merge_accounts_invalid',
  'These two users cannot be merged.',
)

export const walletNotDeployed: ErrorSpec<'wallet_not_deployed'> = /* @__PURE__ */ errorSpec(
  'wallet_not_deployed',
  'The smart-contract wallet is not deployed yet.',
)

export const tooManyEmbeddedWalletsForUser: ErrorSpec<'too_many_embedded_wallets_for_user'> = /* @__PURE__ */ errorSpec(
  'too_many_embedded_wallets_for_user',
  'The user has as many embedded wallets as allowed.',
)

export const tooManyEmbeddedWalletsPerChainForUser: ErrorSpec<'too_many_embedded_wallets_per_chain_for_user'> =
  /* @__PURE__ */ errorSpec(
    'too_many_embedded_wallets_per_chain_for_user',
    'The user has as many embedded wallets on this chain as allowed.',
  )

export const walletAccountExistsForChain: ErrorSpec<'wallet_account_exists_for_chain'> = /* @__PURE__ */ errorSpec(
  'wallet_account_exists_for_chain',
  'The wallet already has an account on this chain.',
)

export const embeddedWalletAddressAlreadyLinked: ErrorSpec<'embedded_wallet_address_already_linked'> =
  /* @__PURE__ */ errorSpec('embedded_wallet_address_already_linked', 'This embedded wallet is already linked.')

export const invalidSessionPublicKey: ErrorSpec<'invalid_session_public_key'> = /* @__PURE__ */ errorSpec(
  'invalid_session_public_key',
  'The public key of the session is not valid.',
)

export const keyShareAlreadyBackedUp: ErrorSpec<'key_share_already_backed_up'> = /* @__PURE__ */ errorSpec(
  'key_share_already_backed_up',
  'This key share is already backed up.',
)

export const invalidKeySharesLength: ErrorSpec<'invalid_key_shares_length'> = /* @__PURE__ */ errorSpec(
  'invalid_key_shares_length',
  'The number of key shares is not the one of the scheme.',
)

export const unableToFetchBalances: ErrorSpec<'unable_to_fetch_balances'> = /* @__PURE__ */ errorSpec(
  'unable_to_fetch_balances',
  'The balances could not be read.',
)

export const metadataSizeExceeded: ErrorSpec<'metadata_size_exceeded'> = /* @__PURE__ */ errorSpec(
  'metadata_size_exceeded',
  'The metadata is too large.',
)

export const blockedUserCannotTransferWallet: ErrorSpec<'blocked_user_cannot_transfer_wallet'> =
  /* @__PURE__ */ errorSpec('blocked_user_cannot_transfer_wallet', 'A blocked user cannot transfer a wallet.')

export const emailRecoveryDisabled: ErrorSpec<'email_recovery_disabled'> = /* @__PURE__ */ errorSpec(
  'email_recovery_disabled',
  'Recovery by email is switched off.',
)

export const invalidPhone: ErrorSpec<'invalid_phone'> = /* @__PURE__ */ errorSpec(
  'invalid_phone',
  'The phone number is not valid.',
)

/** All server errors, for lookups by code. Importing this keeps every message in the bundle. */
export const SERVER_ERRORS: { readonly [Code in ServerErrorCode]: ErrorSpec<Code> } = {
  email_cannot_be_null: emailCannotBeNull,
  invalid_email: invalidEmail,
  email_already_exists: emailAlreadyExists,
  username_already_exists: usernameAlreadyExists,
  wrong_email_verification_token: wrongEmailVerificationToken,
  wrong_sms_verification_token: wrongSmsVerificationToken,
  too_many_verification_attempts: tooManyVerificationAttempts,
  too_many_email_verification_attempts: tooManyEmailVerificationAttempts,
  too_many_sms_verification_attempts: tooManySmsVerificationAttempts,
  too_many_requests: tooManyRequests,
  too_many_api_tokens: tooManyApiTokens,
  transfer_amount_too_small: transferAmountTooSmall,
  transfer_address_not_whitelisted: transferAddressNotWhitelisted,
  transfer_mfa_required: transferMfaRequired,
  transfer_mfa_failed: transferMfaFailed,
  invalid_transfer_funds: invalidTransferFunds,
  mfa_invalid_code: mfaInvalidCode,
  mfa_device_not_found: mfaDeviceNotFound,
  merge_accounts_confirmation: mergeAccountsConfirmation,
  merge_accounts_invalid: mergeAccountsInvalid,
  wallet_not_deployed: walletNotDeployed,
  too_many_embedded_wallets_for_user: tooManyEmbeddedWalletsForUser,
  too_many_embedded_wallets_per_chain_for_user: tooManyEmbeddedWalletsPerChainForUser,
  wallet_account_exists_for_chain: walletAccountExistsForChain,
  embedded_wallet_address_already_linked: embeddedWalletAddressAlreadyLinked,
  invalid_session_public_key: invalidSessionPublicKey,
  key_share_already_backed_up: keyShareAlreadyBackedUp,
  invalid_key_shares_length: invalidKeySharesLength,
  unable_to_fetch_balances: unableToFetchBalances,
  metadata_size_exceeded: metadataSizeExceeded,
  blocked_user_cannot_transfer_wallet: blockedUserCannotTransferWallet,
  email_recovery_disabled: emailRecoveryDisabled,
  invalid_phone: invalidPhone,
}
