/** Errors of the API: the specification's server codes, and own codes for validation and access. */
import { type ErrorSpec, errorSpec, type ServerErrorCode, type SocialErrorCode } from '@keybay/kernel/spec'
import { type ErrorDetails, HttpError } from '@keybay/sandbox-service/http'

/** HTTP status of the API's own error codes. */
const OWN_STATUS = {
  invalid_request: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,
  not_found: 404,
  method_not_allowed: 405,
  environment_not_found: 404,
  origin_not_allowed: 403,
  method_not_enabled: 403,
  unauthorized: 401,
  invalid_proof: 401,
  session_expired: 401,
  forbidden: 403,
  verification_required: 403,
  mfa_required: 403,
  reauthentication_required: 403,
  invalid_nonce: 400,
  invalid_message: 400,
  invalid_signature: 401,
  invalid_passkey: 401,
  invalid_external_token: 401,
  credential_not_found: 404,
  last_credential: 409,
  credential_is_factor: 409,
  credential_is_wallet: 409,
  delivery_failed: 503,
  custody_unavailable: 503,
  service_unavailable: 503,
  custody_wallet_exists: 409,
  custody_wallet_missing: 404,
  backup_not_found: 404,
  too_many_backups: 422,
  invalid_wallet_record: 400,
  account_deletion_pending: 409,
  chain_unavailable: 503,
  transaction_would_fail: 422,
  insufficient_prefund: 422,
  no_gas_sponsoring_policy: 403,
  internal_error: 500,
  invalid_transaction: 400,
  unsupported_chain: 400,
} as const

/** Error codes of the specification's validation rules (S5.11, S5.15). */
type StateErrorCode = 'oauth_state_mismatch' | 'telegram_state_mismatch'
export type ApiErrorCode = ServerErrorCode | SocialErrorCode | StateErrorCode | keyof typeof OWN_STATUS

/** HTTP status of the specification's codes; the default is 400. */
const STATUS: { readonly [Code in ApiErrorCode]?: number } = {
  ...OWN_STATUS,
  wrong_email_verification_token: 401,
  wrong_sms_verification_token: 401,
  mfa_invalid_code: 401,
  blocked_user_cannot_transfer_wallet: 403,
  embedded_wallet_address_already_linked: 409,
  key_share_already_backed_up: 409,
  invalid_key_shares_length: 413,
  mfa_device_not_found: 404,
  email_already_exists: 409,
  username_already_exists: 409,
  account_already_linked: 409,
  account_already_linked_to_different_profile: 409,
  provider_not_enabled: 403,
  social_linking_not_enabled: 403,
  verification_error: 401,
  no_account_linked: 404,
  unlink_error: 409,
  general_error: 502,
  signin_error: 503,
  no_oauth_url: 503,
  merge_accounts_confirmation: 409,
  merge_accounts_invalid: 409,
  too_many_requests: 429,
  too_many_verification_attempts: 429,
  too_many_email_verification_attempts: 429,
  too_many_sms_verification_attempts: 429,
  too_many_api_tokens: 409,
  email_recovery_disabled: 403,
  unable_to_fetch_balances: 503,
}

function own<const Code extends keyof typeof OWN_STATUS>(code: Code, message: string): ErrorSpec<Code> {
  return errorSpec(code, message)
}

export const invalidRequest = own('invalid_request', 'The request is not valid.')
export const payloadTooLarge = own('payload_too_large', 'The request is too large.')
export const jsonNeeded = own('unsupported_media_type', 'Send the body as application/json.')
export const notFound = own('not_found', 'There is nothing here.')
export const methodNotAllowed = own('method_not_allowed', 'This address does not take this method.')
export const environmentNotFound = own('environment_not_found', 'Environment not found.')
export const originNotAllowed = own('origin_not_allowed', 'This page may not use the environment.')
export const methodNotEnabled = own('method_not_enabled', 'The environment does not sign in this way.')
/** The caller is not signed in, or no longer. */
export const unauthorized = own('unauthorized', 'Sign in first.')
/** `details.now` is the service's time in ms, for a client whose clock is wrong. */
export const invalidProof = own('invalid_proof', 'The session key did not sign this request.')
export const sessionExpired = own('session_expired', 'The session is over. Sign in again.')
export const forbidden = own('forbidden', 'This is not allowed.')
/** `details.step` names the missing step. */
export const verificationRequired = own('verification_required', 'Finish signing in first.')
/** `details` contains the action and the devices. */
export const mfaRequired = own('mfa_required', 'This needs a second factor.')
/** `details` contains the maximum age of the sign-in in seconds, and the action and devices of a second factor. */
export const reauthenticationRequired = own(
  'reauthentication_required',
  'This needs a sign-in from the last 5 minutes. Sign in again, then retry.',
)
export const invalidNonce = own('invalid_nonce', 'The nonce is unknown, used or expired.')
/** `details.reason` names the wrong part. */
export const invalidMessage = own(
  'invalid_message',
  'The signed message is not the one that this environment asks for.',
)
export const invalidSignature = own('invalid_signature', 'The signature is not valid.')
export const invalidPasskey = own('invalid_passkey', 'The passkey was not accepted.')
export const invalidExternalToken = own('invalid_external_token', 'The token of the host was not accepted.')
export const credentialNotFound = own('credential_not_found', 'Credential not found.')
export const lastCredential = own('last_credential', 'This is the last way to sign in. Link another one first.')
export const credentialIsFactor = own('credential_is_factor', 'A second factor needs this. Remove that factor first.')
export const credentialIsWallet = own(
  'credential_is_wallet',
  'This is an embedded wallet, not a way to sign in, so it cannot be unlinked.',
)
export const deliveryFailed = own('delivery_failed', 'The message could not be sent. Try again later.')
/** Key custody did not respond, or refused; `details.reason` says which. */
export const custodyUnavailable = own(
  'custody_unavailable',
  'The key-custody service cannot do this now. Try again later.',
)
/** A relay, custody or the database did not respond; `details.service` says which. */
export const serviceUnavailable = own(
  'service_unavailable',
  'A service that holds a part of this does not answer. Try again later.',
)
export const custodyWalletExists = own('custody_wallet_exists', 'There is a custody wallet already.')
export const custodyWalletMissing = own('custody_wallet_missing', 'There is no custody wallet yet.')
export const backupNotFound = own('backup_not_found', 'Backup not found.')
/** Limit for the backups of one wallet, or for the wallets of one user. */
export const tooManyBackups = own('too_many_backups', 'There are too many backups already. Remove old ones first.')
/** `details.reason` says what is wrong with R1's record. */
export const invalidWalletRecord = own(
  'invalid_wallet_record',
  'The wallet record was not accepted. It must be the newest one of this wallet, signed by R1 with a pinned record key.',
)
/** `details.deletesAt` is the time of the deletion, in ms. */
export const accountDeletionPending = own(
  'account_deletion_pending',
  'This account is going to be deleted. Keep the account first, then try again.',
)
/** The network's nodes do not respond, or refuse; `details` never names a node. */
export const chainUnavailable = own('chain_unavailable', 'The chain does not answer. Try again later.')
/** `details.error` is the chain's own error. */
export const transactionWouldFail = own('transaction_would_fail', 'The transaction would fail.')
/** S8.9: kits show "Insufficient funds." */
export const insufficientPrefund = own(
  'insufficient_prefund',
  'The prefund is too small: the account does not hold what it sends.',
)
/** S8.9: kits show "Transaction gas cannot be sponsored."; `details.reason` names the part of the policy. */
export const noGasSponsoringPolicy = own(
  'no_gas_sponsoring_policy',
  'No gas sponsoring policy applies to this transaction.',
)
export const internalError = own('internal_error', 'Something went wrong on our side.')

/** Error that any code below a route can throw. Its details contain nothing private. */
export class ApiError extends HttpError<ApiErrorCode> {
  override readonly name = 'ApiError'

  constructor(spec: ErrorSpec<ApiErrorCode>, details?: ErrorDetails) {
    super(spec, getStatus(spec.code), details)
  }
}

export function getStatus(code: ApiErrorCode): number {
  return STATUS[code] ?? 400
}
