/** Errors of the protocol that are not in the specification. */
import type { ErrorSpec, MfaAction } from '@keybay/kernel/spec'

/** Nothing was done: the user has to agree in the visible frame. Send the same request there. */
export const consentRequired: ErrorSpec<'consent_required'> = {
  code: 'consent_required',
  message: 'The user has to agree in the wallet’s window',
}
/** Nothing was done: a second factor is needed. `details` are `MfaDemand`; send the same request with an `mfaToken`. */
export const mfaRequired: ErrorSpec<'mfa_required'> = { code: 'mfa_required', message: 'A second factor is required' }
export interface MfaDemand {
  readonly action: MfaAction
  /** base64url SHA-256 that the token is bound to. */
  readonly requestHash: string
}
/** Nothing was done: the app has to confirm the frame's new passkey, `details { enrolmentId }`. Then send it again. */
export const passkeyUnproved: ErrorSpec<'frame_passkey_unproved'> = {
  code: 'frame_passkey_unproved',
  message: 'Confirm the wallet’s new passkey with your existing one',
}
/** A request or result has the wrong shape. The detail names the field, never its value. */
export const messageMalformed: ErrorSpec<'message_malformed'> = {
  code: 'message_malformed',
  message: 'A message between page and frame is malformed',
  walletCode: 5,
}
/** Another request used the same key. */
export const idempotencyKeyReused: ErrorSpec<'idempotency_key_reused'> = {
  code: 'idempotency_key_reused',
  message: 'This idempotency key belongs to another request',
  walletCode: 5,
}
/** The user of the operation signed out or switched accounts. The operation stops. */
export const sessionChanged: ErrorSpec<'session_changed'> = {
  code: 'session_changed',
  message: 'You signed out or switched accounts before this was done. Sign in and try again',
}
/** The other end of the port is gone. */
export const messengerClosed: ErrorSpec<'messenger_closed'> = {
  code: 'messenger_closed',
  message: 'The connection to the frame was closed',
}
/** Nothing was done: a backup was requested for a scheme without a backup share. */
export const backupUnsupported: ErrorSpec<'backup_unsupported'> = {
  code: 'backup_unsupported',
  message: 'TWO_OF_TWO has no backup share. Use TWO_OF_THREE, or leave out backup.',
  walletCode: 5,
}
/** Nothing was done: the environment creates no embedded wallets. */
export const embeddedWalletsDisabled: ErrorSpec<'embedded_wallets_disabled'> = {
  code: 'embedded_wallets_disabled',
  message:
    'New embedded wallets are off in this environment. The operator turns them on with embeddedWallets.enabled at the API',
}
/** The frame host does not allow the page to embed the frame. */
export const frameRefused: ErrorSpec<'frame_refused'> = {
  code: 'frame_refused',
  message: 'The frame refuses to work for this page',
}
