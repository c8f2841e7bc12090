/**
 * Every error that the API returns: the specification's server codes, and the API's own codes for validation and
 * access.
 */
import {
  type ErrorSpec,
  errorSpec,
  invalidTransaction,
  type ServerErrorCode,
  type SocialErrorCode,
  unsupportedChain,
} from '@keybay/kernel/spec'
import { type ErrorDetails, HttpError } from '@keybay/sandbox-service/http'

export const invalidRequest: ErrorSpec<'invalid_request'> = errorSpec('invalid_request', 'The request is not valid.')
export const payloadTooLarge: ErrorSpec<'payload_too_large'> = errorSpec(
  'payload_too_large',
  'The request is too large.',
)
export const jsonNeeded: ErrorSpec<'unsupported_media_type'> = errorSpec(
  'unsupported_media_type',
  'Send the body as application/json.',
)
export const notFound: ErrorSpec<'not_found'> = errorSpec('not_found', 'There is nothing here.')
export const methodNotAllowed: ErrorSpec<'method_not_allowed'> = errorSpec(
  'method_not_allowed',
  'This address does not take this method.',
)
export const environmentNotFound: ErrorSpec<'environment_not_found'> = errorSpec(
  'environment_not_found',
  'There is no such environment.',
)
export const originNotAllowed: ErrorSpec<'origin_not_allowed'> = errorSpec(
  'origin_not_allowed',
  'This page may not use the environment.',
)
export const methodNotEnabled: ErrorSpec<'method_not_enabled'> = errorSpec(
  'method_not_enabled',
  'The environment does not sign in this way.',
)
/** The caller is not signed in, or no longer. */
export const unauthorized: ErrorSpec<'unauthorized'> = errorSpec('unauthorized', 'Sign in first.')
/** `details.now` is the service's time in ms, for a client whose clock is wrong. */
export const invalidProof: ErrorSpec<'invalid_proof'> = errorSpec(
  'invalid_proof',
  'The session key did not sign this request.',
)
export const sessionExpired: ErrorSpec<'session_expired'> = errorSpec(
  'session_expired',
  'The session is over. Sign in again.',
)
export const forbidden: ErrorSpec<'forbidden'> = errorSpec('forbidden', 'This is not allowed.')
/** `details.step` names the missing step. */
export const verificationRequired: ErrorSpec<'verification_required'> = errorSpec(
  'verification_required',
  'Finish signing in first.',
)
/** `details` contains the action and the devices. */
export const mfaRequired: ErrorSpec<'mfa_required'> = errorSpec('mfa_required', 'This needs a second factor.')
export const invalidNonce: ErrorSpec<'invalid_nonce'> = errorSpec(
  'invalid_nonce',
  'The nonce is unknown, used or expired.',
)
/** `details.reason` names the wrong part. */
export const invalidMessage: ErrorSpec<'invalid_message'> = errorSpec(
  'invalid_message',
  'The signed message is not the one that this environment asks for.',
)
export const invalidSignature: ErrorSpec<'invalid_signature'> = errorSpec(
  'invalid_signature',
  'The signature is not valid.',
)
export const invalidPasskey: ErrorSpec<'invalid_passkey'> = errorSpec(
  'invalid_passkey',
  'The passkey was not accepted.',
)
export const invalidExternalToken: ErrorSpec<'invalid_external_token'> = errorSpec(
  'invalid_external_token',
  'The token of the host was not accepted.',
)
export const credentialNotFound: ErrorSpec<'credential_not_found'> = errorSpec(
  'credential_not_found',
  'There is no such credential.',
)
export const lastCredential: ErrorSpec<'last_credential'> = errorSpec(
  'last_credential',
  'This is the last way to sign in. Link another one first.',
)
export const credentialIsFactor: ErrorSpec<'credential_is_factor'> = errorSpec(
  'credential_is_factor',
  'This is what the second factor works with. Remove that factor first.',
)
export const credentialIsWallet: ErrorSpec<'credential_is_wallet'> = errorSpec(
  'credential_is_wallet',
  'This is an embedded wallet, not a way to sign in, so it cannot be unlinked.',
)
export const deliveryFailed: ErrorSpec<'delivery_failed'> = errorSpec(
  'delivery_failed',
  'The message could not be sent. Try again later.',
)
/** Key custody did not respond, or refused; `details.reason` says which. */
export const custodyUnavailable: ErrorSpec<'custody_unavailable'> = errorSpec(
  'custody_unavailable',
  'The key-custody service cannot do this now. Try again later.',
)
export const custodyWalletExists: ErrorSpec<'custody_wallet_exists'> = errorSpec(
  'custody_wallet_exists',
  'There is a custody wallet already.',
)
export const custodyWalletMissing: ErrorSpec<'custody_wallet_missing'> = errorSpec(
  'custody_wallet_missing',
  'There is no custody wallet yet.',
)
export const backupNotFound: ErrorSpec<'backup_not_found'> = errorSpec('backup_not_found', 'There is no such backup.')
/** Limit for the backups of one wallet, or for the wallets of one user. */
export const tooManyBackups: ErrorSpec<'too_many_backups'> = errorSpec(
  'too_many_backups',
  'There are too many backups already. Remove old ones first.',
)
/** `details.reason` says what is wrong with R1's record. */
export const invalidWalletRecord: ErrorSpec<'invalid_wallet_record'> = errorSpec(
  'invalid_wallet_record',
  'The wallet record was not accepted. It must be the newest one of this wallet, signed by R1 with a pinned record key.',
)
/** `details.deletesAt` is the time of the deletion, in ms. */
export const accountDeletionPending: ErrorSpec<'account_deletion_pending'> = errorSpec(
  'account_deletion_pending',
  'This account is going to be deleted. Keep the account first, then try again.',
)
/** The network's nodes do not respond, or refuse; `details` never names a node. */
export const chainUnavailable: ErrorSpec<'chain_unavailable'> = errorSpec(
  'chain_unavailable',
  'The chain does not answer. Try again later.',
)
/** `details.error` is the chain's own error. */
export const transactionWouldFail: ErrorSpec<'transaction_would_fail'> = errorSpec(
  'transaction_would_fail',
  'The transaction would fail.',
)
/** S8.9: kits show "Insufficient funds." */
export const insufficientPrefund: ErrorSpec<'insufficient_prefund'> = errorSpec(
  'insufficient_prefund',
  'The prefund is too small: the account does not hold what it sends.',
)
/** S8.9: kits show "Transaction gas cannot be sponsored."; `details.reason` names the part of the policy. */
export const noGasSponsoringPolicy: ErrorSpec<'no_gas_sponsoring_policy'> = errorSpec(
  'no_gas_sponsoring_policy',
  'No gas sponsoring policy applies to this transaction.',
)
export const internalError: ErrorSpec<'internal_error'> = errorSpec(
  'internal_error',
  'Something went wrong on our side.',
)

const OWN = [
  invalidRequest,
  payloadTooLarge,
  jsonNeeded,
  notFound,
  methodNotAllowed,
  environmentNotFound,
  originNotAllowed,
  methodNotEnabled,
  unauthorized,
  invalidProof,
  sessionExpired,
  forbidden,
  verificationRequired,
  mfaRequired,
  invalidNonce,
  invalidMessage,
  invalidSignature,
  invalidPasskey,
  invalidExternalToken,
  credentialNotFound,
  lastCredential,
  credentialIsFactor,
  credentialIsWallet,
  deliveryFailed,
  custodyUnavailable,
  custodyWalletExists,
  custodyWalletMissing,
  backupNotFound,
  tooManyBackups,
  invalidWalletRecord,
  accountDeletionPending,
  invalidTransaction,
  unsupportedChain,
  chainUnavailable,
  transactionWouldFail,
  insufficientPrefund,
  noGasSponsoringPolicy,
  internalError,
] as const
/** Error codes of the specification's validation rules (S5.11, S5.15). */
type StateErrorCode = 'oauth_state_mismatch' | 'telegram_state_mismatch'
export type ApiErrorCode = ServerErrorCode | SocialErrorCode | StateErrorCode | (typeof OWN)[number]['code']

/** HTTP status by error code; the default is 400. */
const STATUS: { readonly [Code in ApiErrorCode]?: number } = {
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
  invalid_signature: 401,
  invalid_passkey: 401,
  invalid_external_token: 401,
  wrong_email_verification_token: 401,
  wrong_sms_verification_token: 401,
  mfa_invalid_code: 401,
  forbidden: 403,
  verification_required: 403,
  mfa_required: 403,
  credential_not_found: 404,
  backup_not_found: 404,
  too_many_backups: 422,
  account_deletion_pending: 409,
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
  last_credential: 409,
  credential_is_factor: 409,
  credential_is_wallet: 409,
  too_many_requests: 429,
  too_many_verification_attempts: 429,
  too_many_email_verification_attempts: 429,
  too_many_sms_verification_attempts: 429,
  too_many_api_tokens: 409,
  delivery_failed: 503,
  email_recovery_disabled: 403,
  custody_unavailable: 503,
  custody_wallet_exists: 409,
  custody_wallet_missing: 404,
  chain_unavailable: 503,
  transaction_would_fail: 422,
  insufficient_prefund: 422,
  no_gas_sponsoring_policy: 403,
  internal_error: 500,
}

/**
 * Error that any code below a route can throw; sent as `{ code, message, details? }`. Details contain nothing private.
 */
export class ApiError extends HttpError<ApiErrorCode> {
  override readonly name = 'ApiError'

  constructor(spec: ErrorSpec<ApiErrorCode>, details?: ErrorDetails) {
    super(spec, getStatus(spec.code), details)
  }
}

export function getStatus(code: ApiErrorCode): number {
  return STATUS[code] ?? 400
}
