/** What is wrong with what was handed in (section 5). The messages in the specification's words have no full stop there. */
import { type ErrorSpec, errorSpec } from '../errors.js'

export { appNameNotSet, signMessageMissing } from '../errors.js'

/** A record from outside is not what it should be; the detail names the record and the field. */
export const recordInvalid: ErrorSpec<'record_invalid'> = /* @__PURE__ */ errorSpec(
  'record_invalid',
  'Invalid record',
  5,
)

/** S5.2 */
export const webauthnIdentifierMissing: ErrorSpec<'webauthn_identifier_missing'> = /* @__PURE__ */ errorSpec(
  'webauthn_identifier_missing',
  'A webauthn credential needs an email or a passkey identifier',
  5,
)

/** S5.3 */
export const rawMessageLength: ErrorSpec<'raw_message_length'> = /* @__PURE__ */ errorSpec(
  'raw_message_length',
  'Message must be 64 characters long',
  5,
)

/** S5.4 */
export const addressInvalid: ErrorSpec<'address_invalid'> = /* @__PURE__ */ errorSpec(
  'address_invalid',
  'A Solana address is 32 to 44 base58 characters',
  5,
)

/** S5.5 */
export const destinationMissing: ErrorSpec<'destination_missing'> = /* @__PURE__ */ errorSpec(
  'destination_missing',
  'Destination is required',
  5,
)

/** S5.6 */
export const sendIncomplete: ErrorSpec<'send_incomplete'> = /* @__PURE__ */ errorSpec(
  'send_incomplete',
  'A send needs a transaction and a connection',
  5,
)

/** S5.7; the detail names what is missing. */
export const authorityMissing: ErrorSpec<'authority_missing'> = /* @__PURE__ */ errorSpec(
  'authority_missing',
  'An account address, a signed session id and an auth token are needed',
  5,
)

/** S5.8 */
export const environmentIdMissing: ErrorSpec<'environment_id_missing'> = /* @__PURE__ */ errorSpec(
  'environment_id_missing',
  'An environment id is needed',
  5,
)

/** S5.9 */
export const displayContainerMissing: ErrorSpec<'display_container_missing'> = /* @__PURE__ */ errorSpec(
  'display_container_missing',
  'A display container is needed',
  5,
)

/** S5.10 */
export const recoveryIncomplete: ErrorSpec<'recovery_incomplete'> = /* @__PURE__ */ errorSpec(
  'recovery_incomplete',
  'A recovery code needs a recovery user id and a passkey or email credential',
  5,
)

/** S5.11 */
export const oauthStateMismatch: ErrorSpec<'oauth_state_mismatch'> = /* @__PURE__ */ errorSpec(
  'oauth_state_mismatch',
  'Failed to connect {provider} social account: Invalid random state',
)

/** S5.12 */
export const oauthOriginMismatch: ErrorSpec<'oauth_origin_mismatch'> = /* @__PURE__ */ errorSpec(
  'oauth_origin_mismatch',
  'The message did not come from the origin of the redirect URL',
)

/** S5.15 */
export const telegramStateMismatch: ErrorSpec<'telegram_state_mismatch'> = /* @__PURE__ */ errorSpec(
  'telegram_state_mismatch',
  'Failed to connect telegram account: Invalid random state',
)
