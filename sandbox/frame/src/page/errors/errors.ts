/** Errors of the frame that the specification, the protocol and the cryptography do not define. */
import { type ErrorFacts, KeybayError } from '@keybay/kernel/spec'

export { relayAnswerWrong, relayUnreachable } from '@keybay/waas/relay-client'

const MESSAGES = {
  /** IndexedDB is blocked, full or missing. The frame creates no wallet whose share would exist only in memory. */
  frame_storage_unavailable: 'This browser doesn’t allow the wallet to store data. Allow it, or use another browser',
  /** The stored share cannot be opened, because it is damaged or belongs to another browser profile. */
  frame_share_unreadable: 'The key share in this browser can’t be read. Restore the wallet, or add this device again',
  frame_password_missing: 'Enter the wallet’s password',
  frame_password_wrong: 'Wrong password',
  /** `details { retryAfter }`, in seconds: each wrong password makes the wait longer. */
  frame_password_limited: 'Too many wrong passwords',
  /** Use `updatePassword` to change an existing password. */
  frame_password_set: 'The wallet already has a password',
  frame_password_short: 'Use at least 8 characters',
  /** The wallet belongs to the user, but its share is on another device or another site. */
  frame_share_elsewhere: 'This browser has no key share of the wallet. Restore it, or add this device',
  /** R1's signed record revoked the set. The share stays here, sealed, until the user agrees to erase it or it expires. */
  set_revoked: 'This browser’s share was revoked. Copy or erase it on the wallet’s security page',
  /** The relay's record names shares that this browser does not hold: another device or ceremony made them. */
  frame_share_replaced: 'This wallet has newer key shares. Restore it from its backup, or add this browser again',
  /** Another tab or a record changed the share, or it is active again. */
  frame_share_changed: 'The key share changed while you were asked, so it was not erased. Try again',
  /** Every other set is made from the primary set. */
  frame_primary_set: 'The first device can’t be revoked. Restore the wallet from its backup to replace it',
  /** The sign-in is older than 5 minutes, and no second factor was entered in this window. */
  reauthentication_required: 'Sign in again to use the backup at the service, then retry',
  frame_token_missing: 'Sign in to use the wallet',
  /** A message that is also a transaction could move money while it looks like a message. */
  frame_disguised_transaction: 'This message is a transaction, or looks like one',
  /** The product API, which checks second factors, is unreachable. */
  frame_api_unreachable: 'The service can’t be reached. Try again',
  frame_api_answer_wrong: 'The service sent an invalid response',
  /** The chosen file is not a backup of this wallet's newest shares. */
  frame_backup_wrong: 'This isn’t the newest backup of this wallet',
  /** The file is an older backup: the wallet's shares have changed since. */
  frame_backup_old: 'This backup is older than the wallet’s newest shares. Choose the newest one',
  frame_backup_other: 'This is the backup of another wallet',
  /** The download was cut off, or the file was edited. */
  frame_backup_cut: 'This backup file is incomplete. Download or copy it again',
  /** The scheme has only the device and a relay. */
  frame_backup_none: 'This wallet has no backup share',
  /** The restore would replace this browser's own share. */
  frame_device_here: 'This browser is the wallet’s device. Create new key shares, or restore as another device',
  /** The frame is not configured for `backup.provider`. */
  frame_backup_provider: 'This backup provider is not available here',
  /** The operator's list has no server with this key. */
  frame_delegate_unknown: 'No server with this key and name is listed as a delegate',
  /** A delegate without a policy could sign everything. */
  frame_policy_missing: 'A delegate needs a policy. Set what it may do',
  /** No device requested to join, or its request expired. */
  frame_join_missing: 'No other device is waiting to be added',
  /** The drive or the product API has no backup of this wallet. */
  frame_backup_missing: 'No backup of this wallet was found there',
  /** The user denied access on the provider's page. */
  frame_backup_denied: 'You didn’t allow access to the drive. Nothing was changed',
  /** Usually a mistaken choice: backups go to the account that the user signs in with. */
  frame_backup_other_drive: 'You chose a Google account that isn’t connected here. Nothing was changed',
  /** The token is wrong, expired, or for another purpose. */
  frame_backup_refused: 'The backup provider refused access. Try again and allow access',
  frame_backup_unreachable: 'The backup provider can’t be reached. Nothing was changed. Try again later',
  /** The provider's storage is full, or it returned an undocumented response. */
  frame_backup_failed: 'The backup provider didn’t store the backup. Check its free space, or choose another provider',
  /** The operator of the product API also has a share and could guess a password. */
  frame_backup_code_needed: 'A backup at this service needs a recovery code',
  /** A 2/2 wallet. The kit reshares it to 2/3 once the user agrees. */
  frame_backup_reshare_needed: 'This wallet has no backup share yet. Reshare it to 2 of 3 first',
  /** The authenticator lacks WebAuthn's PRF extension. */
  frame_passkey_prf: 'Passkeys of this device can’t lock a backup. Use a recovery code, or a passkey of another device',
  /** A passkey works only on the domain where it was created. */
  frame_passkey_elsewhere: 'The passkey of this backup belongs to another domain',
  /** The page claimed to keep backups itself, but did not. */
  frame_backup_host: 'The page couldn’t store the backup or read it back. Nothing was changed',
  /** The file with a chain's code did not load, or differs from the build. Nothing was done. */
  frame_chain_unavailable: 'A part of the wallet could not be loaded. Try again',
} as const

export function frameError(code: keyof typeof MESSAGES, facts?: ErrorFacts): KeybayError {
  return new KeybayError({ code, message: MESSAGES[code] }, facts)
}
