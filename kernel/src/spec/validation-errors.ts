/** Validation errors (section 5). Messages that the specification words have no full stop there. */
import type { ErrorSpec } from './errors.js'

/** An external record is invalid; the detail names the record and the field. */
export const recordInvalid: ErrorSpec<'record_invalid'> = {
  code: 'record_invalid',
  message: 'Invalid record',
  walletCode: 5,
}

/** S5.2 */
export const webauthnIdentifierMissing: ErrorSpec<'webauthn_identifier_missing'> = {
  code: 'webauthn_identifier_missing',
  message: 'A webauthn credential needs an email or a passkey identifier',
  walletCode: 5,
}

/** S5.3 */
export const rawMessageLength: ErrorSpec<'raw_message_length'> = {
  code: 'raw_message_length',
  message: 'Message must be 64 characters long',
  walletCode: 5,
}

/** S5.4 */
export const addressInvalid: ErrorSpec<'address_invalid'> = {
  code: 'address_invalid',
  message: 'A Solana address is 32 to 44 base58 characters',
  walletCode: 5,
}

/** S5.5 */
export const destinationMissing: ErrorSpec<'destination_missing'> = {
  code: 'destination_missing',
  message: 'Destination is required',
  walletCode: 5,
}

/** S5.6 */
export const sendIncomplete: ErrorSpec<'send_incomplete'> = {
  code: 'send_incomplete',
  message: 'A send needs a transaction and a connection',
  walletCode: 5,
}

/** S5.7; the detail names what is missing. */
export const authorityMissing: ErrorSpec<'authority_missing'> = {
  code: 'authority_missing',
  message: 'An account address, a signed session id and an auth token are needed',
  walletCode: 5,
}

/** S5.8 */
export const environmentIdMissing: ErrorSpec<'environment_id_missing'> = {
  code: 'environment_id_missing',
  message: 'An environment id is needed',
  walletCode: 5,
}

/** S5.9 */
export const displayContainerMissing: ErrorSpec<'display_container_missing'> = {
  code: 'display_container_missing',
  message: 'A display container is needed',
  walletCode: 5,
}

/** S5.10 */
export const recoveryIncomplete: ErrorSpec<'recovery_incomplete'> = {
  code: 'recovery_incomplete',
  message: 'A recovery code needs a recovery user id and a passkey or email credential',
  walletCode: 5,
}

/** S5.11 */
export const oauthStateMismatch: ErrorSpec<'oauth_state_mismatch'> = {
  code: 'oauth_state_mismatch',
  message: 'Failed to connect {provider} social account: Invalid random state',
}

/** S5.12 */
export const oauthOriginMismatch: ErrorSpec<'oauth_origin_mismatch'> = {
  code: 'oauth_origin_mismatch',
  message: 'The message did not come from the origin of the redirect URL',
}

/** S5.15 */
export const telegramStateMismatch: ErrorSpec<'telegram_state_mismatch'> = {
  code: 'telegram_state_mismatch',
  message: 'Failed to connect telegram account: Invalid random state',
}
