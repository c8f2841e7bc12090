/** All errors of a relay. */
import {
  blockedUserCannotTransferWallet,
  embeddedWalletAddressAlreadyLinked,
  tooManyEmbeddedWalletsForUser,
  tooManyRequests,
} from '@keybay/kernel/spec'
import { type ErrorDetails, HttpError } from '@keybay/sandbox-service/http'

/** Status and message of each error code. */
const ERRORS = {
  invalid_request: [400, 'The request is not valid.'],
  payload_too_large: [413, 'The request is too large.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  not_found: [404, 'There is nothing here.'],
  method_not_allowed: [405, 'This address does not take this method.'],
  environment_not_found: [404, 'Environment not found.'],
  origin_not_allowed: [403, 'This page may not use the relay.'],
  unauthorized: [401, 'Sign in first.'],
  session_expired: [401, 'The session has expired. Sign in again.'],
  /** `details { reason, now }`; `now` is the service's time, ms. */
  invalid_session_signature: [401, 'The session key did not sign this operation.'],
  /** `details { reason, now }` */
  invalid_device_signature: [401, 'The device key did not sign this request.'],
  blocked_user_cannot_transfer_wallet: [403, blockedUserCannotTransferWallet.message],
  device_locked: [403, 'This device key is locked: too many wrong shares.'],
  /** `details { action, requestHash, devices }` */
  mfa_required: [403, 'This needs a second factor.'],
  /** `details { rule, … }` */
  consent_required: [403, 'The user has to agree in the wallet’s own window.'],
  /** `details { rule, … }` */
  policy_refused: [403, 'The policy does not allow this.'],
  /** Error for EVM and Bitcoin accounts; `details { chainName, signing }` */
  policy_unsupported: [403, 'This account takes no policy: each of its signatures needs the user’s consent.'],
  not_enabled: [403, 'The environment does not do this.'],
  /** Error of creation and import only. */
  embedded_wallets_disabled: [
    403,
    'New embedded wallets are off in this environment. The operator turns them on with embeddedWallets.enabled at the API.',
  ],
  /** Error of creation, import and resharing to TWO_OF_TWO only. */
  replica_required: [
    403,
    'This relay makes no TWO_OF_TWO wallets: they have no backup, and its database has no synchronous replica. Use TWO_OF_THREE. The operator allows TWO_OF_TWO with synchronous_standby_names in PostgreSQL.',
  ],
  /** `details { left }`: attempts until the device key is locked. */
  bad_share: [400, 'A share, dealing or proof does not fit.'],
  transcript_mismatch: [400, 'The parties have not seen the same ceremony.'],
  wallet_not_found: [404, 'Wallet not found.'],
  set_not_found: [404, 'Share set not found.'],
  ceremony_not_found: [404, 'Ceremony not found, or expired.'],
  ceremony_state: [409, 'The ceremony is not at this step.'],
  /** `details { epoch }`: epoch of this relay. */
  epoch_mismatch: [409, 'The share set is at another epoch.'],
  policy_mismatch: [409, 'The policy of this share set has changed. Read the wallets, and try again.'],
  set_revoked: [409, 'This share set was revoked.'],
  wallet_frozen: [409, 'The relay has lost writes: this wallet waits for its operator.'],
  wallet_quarantined: [
    409,
    'This relay was restored from an older copy of this wallet. It signs again after it has caught up with the other relay.',
  ],
  share_lost: [
    409,
    'This relay was restored from an older copy and has lost its share of this wallet. Recover the wallet with your backup and your device.',
  ],
  /** Only between relays: the records before this one are missing. */
  records_missing: [409, 'Records before this one are missing.'],
  wallet_exists: [409, 'This wallet or share set already exists.'],
  embedded_wallet_address_already_linked: [409, embeddedWalletAddressAlreadyLinked.message],
  /** `details { deletesAt }`, ms */
  account_deletion_pending: [409, 'This account is going to be deleted. Keep the account first, then try again.'],
  too_many_embedded_wallets_for_user: [409, tooManyEmbeddedWalletsForUser.message],
  too_many_sets: [409, 'This wallet has 50 devices and delegates. Revoke one first.'],
  too_many_requests: [429, tooManyRequests.message],
  peer_unavailable: [503, 'The other relay does not answer. Try again.'],
  not_compared: [
    503,
    'This relay has just started and has not compared its records with the other relay yet. Try again.',
  ],
  api_unavailable: [503, 'The product API does not answer. Try again.'],
  rpc_unavailable: [503, 'The chain does not answer. Try again.'],
  busy: [503, 'Too much at once on this wallet. Try again.'],
  /** `details { service, retryAfter }`: the relay's database is away. */
  service_unavailable: [503, 'The relay cannot do this now. Try again.'],
  internal_error: [500, 'Something went wrong on our side.'],
} as const
export type RelayErrorCode = keyof typeof ERRORS

/** Error sent as `{ code, message, details? }`. The details contain nothing private. */
export class RelayError extends HttpError<RelayErrorCode> {
  override readonly name = 'RelayError'

  /** @param message default: the message of the code */
  constructor(code: RelayErrorCode, details?: ErrorDetails, message: string = ERRORS[code][1]) {
    super({ code, message }, ERRORS[code][0], details)
  }
}

export function isRelayErrorCode(code: unknown): code is RelayErrorCode {
  return typeof code === 'string' && code in ERRORS
}

export function getStatus(code: RelayErrorCode): number {
  return ERRORS[code][0]
}
/** All error codes of a relay. */
export const RELAY_ERROR_CODES: readonly RelayErrorCode[] = Object.keys(ERRORS).filter(isRelayErrorCode)
