/** All errors of a relay. */
import {
  type ErrorSpec,
  embeddedWalletAddressAlreadyLinked,
  errorSpec,
  tooManyEmbeddedWalletsForUser,
  tooManyRequests,
} from '@keybay/kernel/spec'
import { type ErrorDetails, HttpError } from '@keybay/sandbox-service/http'

const STATUS = {
  invalid_request: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,
  not_found: 404,
  method_not_allowed: 405,
  environment_not_found: 404,
  origin_not_allowed: 403,
  unauthorized: 401,
  session_expired: 401,
  invalid_session_signature: 401,
  invalid_device_signature: 401,
  device_locked: 403,
  mfa_required: 403,
  consent_required: 403,
  policy_refused: 403,
  policy_unsupported: 403,
  not_enabled: 403,
  embedded_wallets_disabled: 403,
  bad_share: 400,
  transcript_mismatch: 400,
  wallet_not_found: 404,
  set_not_found: 404,
  ceremony_not_found: 404,
  ceremony_state: 409,
  epoch_mismatch: 409,
  set_revoked: 409,
  wallet_frozen: 409,
  wallet_exists: 409,
  embedded_wallet_address_already_linked: 409,
  account_deletion_pending: 409,
  too_many_embedded_wallets_for_user: 409,
  too_many_requests: 429,
  peer_unavailable: 503,
  api_unavailable: 503,
  rpc_unavailable: 503,
  busy: 503,
  internal_error: 500,
} as const
export type RelayErrorCode = keyof typeof STATUS
type Spec<Code extends RelayErrorCode> = ErrorSpec<Code>

function spec<const Code extends RelayErrorCode>(code: Code, message: string): Spec<Code> {
  return errorSpec(code, message)
}

export const invalidRequest = spec('invalid_request', 'The request is not valid.')
export const payloadTooLarge = spec('payload_too_large', 'The request is too large.')
export const jsonNeeded = spec('unsupported_media_type', 'Send the body as application/json.')
export const notFound = spec('not_found', 'There is nothing here.')
export const methodNotAllowed = spec('method_not_allowed', 'This address does not take this method.')
export const environmentNotFound = spec('environment_not_found', 'There is no such environment.')
export const originNotAllowed = spec('origin_not_allowed', 'This page may not use the relay.')
export const unauthorized = spec('unauthorized', 'Sign in first.')
export const sessionExpired = spec('session_expired', 'The session is over. Sign in again.')
/** `details { reason, now }`; `now` is the service's time, ms. */
export const invalidSessionSignature = spec('invalid_session_signature', 'The session key did not sign this operation.')
/** `details { reason, now }` */
export const invalidDeviceSignature = spec('invalid_device_signature', 'The device key did not sign this request.')
export const deviceLocked = spec('device_locked', 'This device key is locked: too many wrong shares.')
/** `details { action, requestHash, devices }` */
export const mfaRequired = spec('mfa_required', 'This needs a second factor.')
/** `details { rule, … }` */
export const consentRequired = spec('consent_required', 'The user has to agree in the wallet’s own window.')
/** `details { rule, … }` */
export const policyRefused = spec('policy_refused', 'The policy does not allow this.')
/** Error for EVM and Bitcoin accounts; `details { chainName, signing }` */
export const policyUnsupported = spec(
  'policy_unsupported',
  'This account takes no policy: each of its signatures needs the user’s consent.',
)
export const notEnabled = spec('not_enabled', 'The environment does not do this.')
/** Error of creation and import only. */
export const embeddedWalletsDisabled = spec(
  'embedded_wallets_disabled',
  'New embedded wallets are off in this environment. The operator turns them on with embeddedWallets.enabled at the API.',
)
/** `details { left }`: attempts until the device key is locked. */
export const badShare = spec('bad_share', 'A share, dealing or proof does not fit.')
export const transcriptMismatch = spec('transcript_mismatch', 'The parties have not seen the same ceremony.')
export const walletNotFound = spec('wallet_not_found', 'There is no such wallet.')
export const setNotFound = spec('set_not_found', 'There is no such share set.')
export const ceremonyNotFound = spec('ceremony_not_found', 'There is no such ceremony, or it is over.')
export const ceremonyState = spec('ceremony_state', 'The ceremony is not at this step.')
/** `details { epoch }`: epoch of this relay. */
export const epochMismatch = spec('epoch_mismatch', 'The share set is at another epoch.')
export const setRevoked = spec('set_revoked', 'This share set was revoked.')
export const walletFrozen = spec('wallet_frozen', 'The relay has lost writes: this wallet waits for its operator.')
export const walletExists = spec('wallet_exists', 'There is such a wallet or share set already.')
/** `details { deletesAt }`, ms */
export const accountDeletionPending = spec(
  'account_deletion_pending',
  'This account is going to be deleted. Keep the account first, then try again.',
)
export const peerUnavailable = spec('peer_unavailable', 'The other relay does not answer. Try again.')
export const apiUnavailable = spec('api_unavailable', 'The product API does not answer. Try again.')
export const rpcUnavailable = spec('rpc_unavailable', 'The chain does not answer. Try again.')
export const busy = spec('busy', 'Too much at once on this wallet. Try again.')
export const internalError = spec('internal_error', 'Something went wrong on our side.')
export { embeddedWalletAddressAlreadyLinked, tooManyEmbeddedWalletsForUser, tooManyRequests }

/** Error sent as `{ code, message, details? }`. The details contain nothing private. */
export class RelayError extends HttpError<RelayErrorCode> {
  override readonly name = 'RelayError'

  constructor(spec: ErrorSpec<RelayErrorCode>, details?: ErrorDetails) {
    super(spec, STATUS[spec.code], details)
  }
}

export function isRelayErrorCode(code: unknown): code is RelayErrorCode {
  return typeof code === 'string' && code in STATUS
}

export function getStatus(code: RelayErrorCode): number {
  return STATUS[code]
}
/** All error codes of a relay. */
export const RELAY_ERROR_CODES: readonly RelayErrorCode[] = Object.keys(STATUS).filter(isRelayErrorCode)
