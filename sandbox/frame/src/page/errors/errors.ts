/** Errors of the frame that the specification, the protocol and the cryptography do not define. */
import { type ErrorSpec, errorSpec } from '@keybay/kernel/spec'

export { relayAnswerWrong, relayUnreachable } from '@keybay/waas/relay-client'

/** IndexedDB is blocked, full or gone. No wallet is made where a share would be in memory only. */
export const storageUnavailable: ErrorSpec<'frame_storage_unavailable'> = /* @__PURE__ */ errorSpec(
  'frame_storage_unavailable',
  'This browser doesn’t allow the wallet to store data. Allow it, or use another browser',
)
/** The stored share cannot be opened: damaged, or of another profile. */
export const shareUnreadable: ErrorSpec<'frame_share_unreadable'> = /* @__PURE__ */ errorSpec(
  'frame_share_unreadable',
  'The key share in this browser can’t be read. Restore the wallet, or add this device again',
)
export const passwordMissing: ErrorSpec<'frame_password_missing'> = /* @__PURE__ */ errorSpec(
  'frame_password_missing',
  'Enter the wallet’s password',
)
export const passwordWrong: ErrorSpec<'frame_password_wrong'> = /* @__PURE__ */ errorSpec(
  'frame_password_wrong',
  'Wrong password',
)
/** `details { retryAfter }`, seconds: guessing gets slower with each wrong one. */
export const passwordLimited: ErrorSpec<'frame_password_limited'> = /* @__PURE__ */ errorSpec(
  'frame_password_limited',
  'Too many wrong passwords',
)
/** It has one: `updatePassword` changes it. */
export const passwordSet: ErrorSpec<'frame_password_set'> = /* @__PURE__ */ errorSpec(
  'frame_password_set',
  'The wallet already has a password',
)
export const passwordShort: ErrorSpec<'frame_password_short'> = /* @__PURE__ */ errorSpec(
  'frame_password_short',
  'Use at least 8 characters',
)
/** The wallet is the user's, and its share is on another device, or on another site. */
export const shareElsewhere: ErrorSpec<'frame_share_elsewhere'> = /* @__PURE__ */ errorSpec(
  'frame_share_elsewhere',
  'This browser has no key share of the wallet. Restore it, or add this device',
)
/** R1's signed record says so. The share stays here, sealed, until the user agrees to erase it or its time is over. */
export const setRevoked: ErrorSpec<'set_revoked'> = /* @__PURE__ */ errorSpec(
  'set_revoked',
  'This browser’s share was revoked. Copy or erase it on the wallet’s security page',
)
/** The relay's record names shares that this browser does not hold: another device or ceremony made them. */
export const shareReplaced: ErrorSpec<'frame_share_replaced'> = /* @__PURE__ */ errorSpec(
  'frame_share_replaced',
  'This wallet has newer key shares. Restore it from its backup, or add this browser again',
)
/** Another tab or a record changed it, or it is in force again. */
export const shareChanged: ErrorSpec<'frame_share_changed'> = /* @__PURE__ */ errorSpec(
  'frame_share_changed',
  'The key share changed while you were asked, so it was not erased. Try again',
)
/** The primary set is what every other set is made from. */
export const primaryNotRevocable: ErrorSpec<'frame_primary_set'> = /* @__PURE__ */ errorSpec(
  'frame_primary_set',
  'The first device can’t be revoked. Restore the wallet from its backup to replace it',
)
export const tokenMissing: ErrorSpec<'frame_token_missing'> = /* @__PURE__ */ errorSpec(
  'frame_token_missing',
  'Sign in to use the wallet',
)
/** A message that is a transaction would move money under the name of a message. */
export const disguisedTransaction: ErrorSpec<'frame_disguised_transaction'> = /* @__PURE__ */ errorSpec(
  'frame_disguised_transaction',
  'This message is a transaction, or looks like one',
)
/** The product API, which second factors are checked by. */
export const apiUnreachable: ErrorSpec<'frame_api_unreachable'> = /* @__PURE__ */ errorSpec(
  'frame_api_unreachable',
  'The service can’t be reached. Try again',
)
export const apiAnswerWrong: ErrorSpec<'frame_api_answer_wrong'> = /* @__PURE__ */ errorSpec(
  'frame_api_answer_wrong',
  'The service sent an invalid response',
)
/** The file that was chosen is no backup of this wallet's newest shares. */
export const backupWrong: ErrorSpec<'frame_backup_wrong'> = /* @__PURE__ */ errorSpec(
  'frame_backup_wrong',
  'This isn’t the newest backup of this wallet',
)
/** An older copy: the wallet's parts were changed since. */
export const backupOld: ErrorSpec<'frame_backup_old'> = /* @__PURE__ */ errorSpec(
  'frame_backup_old',
  'This backup is older than the wallet’s newest shares. Choose the newest one',
)
export const backupOther: ErrorSpec<'frame_backup_other'> = /* @__PURE__ */ errorSpec(
  'frame_backup_other',
  'This is the backup of another wallet',
)
/** A download that was cut off, or a file that was edited. */
export const backupCut: ErrorSpec<'frame_backup_cut'> = /* @__PURE__ */ errorSpec(
  'frame_backup_cut',
  'This backup file is incomplete. Download or copy it again',
)
/** A scheme of device and relay alone. */
export const backupNone: ErrorSpec<'frame_backup_none'> = /* @__PURE__ */ errorSpec(
  'frame_backup_none',
  'This wallet has no backup share',
)
/** It is this browser that would be replaced. */
export const deviceHere: ErrorSpec<'frame_device_here'> = /* @__PURE__ */ errorSpec(
  'frame_device_here',
  'This browser is the wallet’s device. Create new key shares, or restore as another device',
)
/** The frame is not configured for `backup.provider`. */
export const providerUnavailable: ErrorSpec<'frame_backup_provider'> = /* @__PURE__ */ errorSpec(
  'frame_backup_provider',
  'This backup provider is not available here',
)
/** The operator of the relays lists no server with this key. */
export const delegateUnknown: ErrorSpec<'frame_delegate_unknown'> = /* @__PURE__ */ errorSpec(
  'frame_delegate_unknown',
  'No server with this key and name is listed as a delegate',
)
/** A delegate without a policy could sign everything. */
export const policyMissing: ErrorSpec<'frame_policy_missing'> = /* @__PURE__ */ errorSpec(
  'frame_policy_missing',
  'A delegate needs a policy. Set what it may do',
)
/** No device asked to join, or its request expired. */
export const joinMissing: ErrorSpec<'frame_join_missing'> = /* @__PURE__ */ errorSpec(
  'frame_join_missing',
  'No other device is waiting to be added',
)

/** The drive or the product API has no backup of this wallet. */
export const backupMissing: ErrorSpec<'frame_backup_missing'> = /* @__PURE__ */ errorSpec(
  'frame_backup_missing',
  'No backup of this wallet was found there',
)
/** The provider’s own page was answered with no. */
export const grantDenied: ErrorSpec<'frame_backup_denied'> = /* @__PURE__ */ errorSpec(
  'frame_backup_denied',
  'You didn’t allow access to the drive. Nothing was changed',
)
/** A slip of the finger, most often: backups go to the account that the user signs in with. */
export const otherDrive: ErrorSpec<'frame_backup_other_drive'> = /* @__PURE__ */ errorSpec(
  'frame_backup_other_drive',
  'You chose a Google account that isn’t connected here. Nothing was changed',
)
/** A token that is wrong, has run out, or is for something else. */
export const providerRefused: ErrorSpec<'frame_backup_refused'> = /* @__PURE__ */ errorSpec(
  'frame_backup_refused',
  'The backup provider refused access. Try again and allow access',
)
export const providerUnreachable: ErrorSpec<'frame_backup_unreachable'> = /* @__PURE__ */ errorSpec(
  'frame_backup_unreachable',
  'The backup provider can’t be reached. Nothing was changed. Try again later',
)
/** Its storage is full, or it answers something that its documentation does not have. */
export const providerFailed: ErrorSpec<'frame_backup_failed'> = /* @__PURE__ */ errorSpec(
  'frame_backup_failed',
  'The backup provider didn’t store the backup. Check its free space, or choose another provider',
)
/** The operator of the product API holds a part of the key too: a password could be guessed there. */
export const codeNeeded: ErrorSpec<'frame_backup_code_needed'> = /* @__PURE__ */ errorSpec(
  'frame_backup_code_needed',
  'A backup at this service needs a recovery code',
)
/** A 2/2 wallet. The kit reshares it to 2/3 once the user agrees. */
export const reshareNeeded: ErrorSpec<'frame_backup_reshare_needed'> = /* @__PURE__ */ errorSpec(
  'frame_backup_reshare_needed',
  'This wallet has no backup share yet. Reshare it to 2 of 3 first',
)
/** An authenticator without WebAuthn's PRF extension. */
export const passkeyLocksNothing: ErrorSpec<'frame_passkey_prf'> = /* @__PURE__ */ errorSpec(
  'frame_passkey_prf',
  'Passkeys of this device can’t lock a backup. Use a recovery code, or a passkey of another device',
)
/** Passkeys answer at the domain that they were made at, and at no other. */
export const passkeyElsewhere: ErrorSpec<'frame_passkey_elsewhere'> = /* @__PURE__ */ errorSpec(
  'frame_passkey_elsewhere',
  'The passkey of this backup belongs to another domain',
)
/** The page said that it keeps backups itself, and did not. */
export const hostFailed: ErrorSpec<'frame_backup_host'> = /* @__PURE__ */ errorSpec(
  'frame_backup_host',
  'The page couldn’t store the backup or read it back. Nothing was changed',
)
