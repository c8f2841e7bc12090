/** Error codes of this plugin. Those of the specification are in `@keybay/kernel/spec`. */
import type { ErrorSpec } from '@keybay/kernel/spec'

/** The authenticator already holds a passkey of this user. */
export const passkeyExists: ErrorSpec<'passkey_exists'> = {
  code: 'passkey_exists',
  message: 'This device already has a passkey for this account.',
}
export const passkeyNotFound: ErrorSpec<'passkey_not_found'> = {
  code: 'passkey_not_found',
  message: 'Passkey not found. Take an id from the list of passkeys.',
  walletCode: 5,
}
