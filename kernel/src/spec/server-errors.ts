/**
 * Server error codes from the specification (S8.1). It defines only the codes; the messages are ours, except "The
 * code is invalid or expired." (S8.3). A server may send its own message or an unlisted code: both are kept
 * unchanged.
 */
import { type ErrorSpec, isKeybayError, type KeybayError } from './keybay-error.js'

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

export const emailCannotBeNull = { code: 'email_cannot_be_null', message: 'An email address is needed.' } as const
export const invalidEmail = { code: 'invalid_email', message: 'The email address is not valid.' } as const
export const emailAlreadyExists = {
  code: 'email_already_exists',
  message: 'This email address is already in use.',
} as const
export const usernameAlreadyExists = {
  code: 'username_already_exists',
  message: 'This user name is already in use.',
} as const
export const wrongEmailVerificationToken = {
  code: 'wrong_email_verification_token',
  message: 'The code is invalid or expired.',
} as const
export const wrongSmsVerificationToken = {
  code: 'wrong_sms_verification_token',
  message: 'The code is invalid or expired.',
} as const
export const tooManyVerificationAttempts = {
  code: 'too_many_verification_attempts',
  message: 'Too many attempts. Ask for a new code.',
} as const
export const tooManyEmailVerificationAttempts = {
  code: 'too_many_email_verification_attempts',
  message: 'Too many attempts. Ask for a new code by email.',
} as const
export const tooManySmsVerificationAttempts = {
  code: 'too_many_sms_verification_attempts',
  message: 'Too many attempts. Ask for a new code by SMS.',
} as const
export const tooManyRequests = { code: 'too_many_requests', message: 'Too many requests. Try again later.' } as const
export const tooManyApiTokens = {
  code: 'too_many_api_tokens',
  message: 'The environment has reached its limit of API tokens.',
} as const
export const transferAmountTooSmall = {
  code: 'transfer_amount_too_small',
  message: 'The amount is too small to transfer.',
} as const
export const transferAddressNotWhitelisted = {
  code: 'transfer_address_not_whitelisted',
  message: 'Transfers to this address are not allowed.',
} as const
export const transferMfaRequired = {
  code: 'transfer_mfa_required',
  message: 'This transfer needs a second factor.',
} as const
export const transferMfaFailed = {
  code: 'transfer_mfa_failed',
  message: 'The second factor for this transfer was not accepted.',
} as const
export const invalidTransferFunds = {
  code: 'invalid_transfer_funds',
  message: 'The transfer is larger than the funds.',
} as const
export const mfaInvalidCode = { code: 'mfa_invalid_code', message: 'The code is invalid or expired.' } as const
export const mfaDeviceNotFound = { code: 'mfa_device_not_found', message: 'Second factor not found.' } as const
export const mergeAccountsConfirmation = {
  code: 'merge_accounts_confirmation',
  message: 'This belongs to another user of yours. Confirm to merge the two.',
} as const
export const mergeAccountsInvalid = {
  code: 'merge_accounts_invalid',
  message: 'These two users cannot be merged.',
} as const
export const walletNotDeployed = {
  code: 'wallet_not_deployed',
  message: 'The smart-contract wallet is not deployed yet.',
} as const
export const tooManyEmbeddedWalletsForUser = {
  code: 'too_many_embedded_wallets_for_user',
  message: 'The user has as many embedded wallets as allowed.',
} as const
export const tooManyEmbeddedWalletsPerChainForUser = {
  code: 'too_many_embedded_wallets_per_chain_for_user',
  message: 'The user has as many embedded wallets on this chain as allowed.',
} as const
export const walletAccountExistsForChain = {
  code: 'wallet_account_exists_for_chain',
  message: 'The wallet already has an account on this chain.',
} as const
export const embeddedWalletAddressAlreadyLinked = {
  code: 'embedded_wallet_address_already_linked',
  message: 'This embedded wallet is already linked.',
} as const
export const invalidSessionPublicKey = {
  code: 'invalid_session_public_key',
  message: 'The public key of the session is not valid.',
} as const
export const keyShareAlreadyBackedUp = {
  code: 'key_share_already_backed_up',
  message: 'This key share is already backed up.',
} as const
export const invalidKeySharesLength = {
  code: 'invalid_key_shares_length',
  message: 'The number of key shares does not match the scheme.',
} as const
export const unableToFetchBalances = {
  code: 'unable_to_fetch_balances',
  message: 'The balances could not be read.',
} as const
export const metadataSizeExceeded = { code: 'metadata_size_exceeded', message: 'The metadata is too large.' } as const
export const blockedUserCannotTransferWallet = {
  code: 'blocked_user_cannot_transfer_wallet',
  message: 'A blocked user cannot transfer a wallet.',
} as const
export const emailRecoveryDisabled = {
  code: 'email_recovery_disabled',
  message: 'Recovery by email is disabled.',
} as const
export const invalidPhone = { code: 'invalid_phone', message: 'The phone number is not valid.' } as const

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

/** Error of a server, by code: comparing `error.code` narrows it to the error of that code. */
export type ServerError = { [Code in ServerErrorCode]: KeybayError<Code> }[ServerErrorCode]

/**
 * Returns true if the error has one of the specification's server codes. `isKeybayError` with the error itself checks for
 * one code: `isKeybayError(error, invalidEmail)`.
 * @example
 * if (isServerError(error)) switch (error.code) { case 'invalid_email': … }
 */
export function isServerError(value: unknown): value is ServerError {
  return isKeybayError(value) && SERVER_ERROR_CODES.some(code => code === value.code)
}
