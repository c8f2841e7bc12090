/** Validation errors (section 5). Messages that the specification words have no full stop there. */
/** An external record is invalid; the detail names the record and the field. */
export const recordInvalid = { code: 'record_invalid', message: 'Invalid record', walletCode: 5 } as const
/** S5.2 */
export const webauthnIdentifierMissing = {
  code: 'webauthn_identifier_missing',
  message: 'A webauthn credential needs an email or a passkey identifier',
  walletCode: 5,
} as const
/** S5.3 */
export const rawMessageLength = {
  code: 'raw_message_length',
  message: 'Message must be 64 characters long',
  walletCode: 5,
} as const
/** S5.4 */
export const addressInvalid = {
  code: 'address_invalid',
  message: 'A Solana address is 32 to 44 base58 characters',
  walletCode: 5,
} as const
/** S5.5 */
export const destinationMissing = {
  code: 'destination_missing',
  message: 'Destination is required',
  walletCode: 5,
} as const
/** S5.6 */
export const sendIncomplete = {
  code: 'send_incomplete',
  message: 'A send needs a transaction and a connection',
  walletCode: 5,
} as const
/** S5.7; the detail names what is missing. */
export const authorityMissing = {
  code: 'authority_missing',
  message: 'An account address, a signed session id and an auth token are needed',
  walletCode: 5,
} as const
/** S5.8 */
export const environmentIdMissing = {
  code: 'environment_id_missing',
  message: 'An environment id is needed',
  walletCode: 5,
} as const
/** S5.9 */
export const displayContainerMissing = {
  code: 'display_container_missing',
  message: 'A display container is needed',
  walletCode: 5,
} as const
/** S5.10 */
export const recoveryIncomplete = {
  code: 'recovery_incomplete',
  message: 'A recovery code needs a recovery user id and a passkey or email credential',
  walletCode: 5,
} as const
/** S5.11 */
export const oauthStateMismatch = {
  code: 'oauth_state_mismatch',
  message: 'Failed to connect {provider} social account: Invalid random state',
} as const
/** S5.12 */
export const oauthOriginMismatch = {
  code: 'oauth_origin_mismatch',
  message: 'The message did not come from the origin of the redirect URL',
} as const
/** S5.15 */
export const telegramStateMismatch = {
  code: 'telegram_state_mismatch',
  message: 'Failed to connect telegram account: Invalid random state',
} as const
