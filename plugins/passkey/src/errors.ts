/** What this plugin raises besides the messages of the specification (`@keybay/kernel/spec`). */
import type { ErrorSpec } from '@keybay/kernel'

/** The authenticator holds one of this user's passkeys already. */
export const passkeyExists: ErrorSpec<'passkey_exists'> = {
  code: 'passkey_exists',
  message: 'This device has a passkey for this account already',
}
export const passkeyNotFound: ErrorSpec<'passkey_not_found'> = {
  code: 'passkey_not_found',
  message: 'There is no such passkey',
  walletCode: 5,
}
