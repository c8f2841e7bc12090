/**
 * The messages of the specification's section 8 that no server or social code carries (S8.3, S8.9), word for word.
 * "The code is invalid or expired." is in server-errors; the blocked popup, the session time-out and the cancelled
 * connection are in social-errors.
 */
import { type ErrorSpec, errorSpec } from '../errors.js'

export { accountNotFound, requestFailed, sessionMissing, userRejected, versionMismatch } from '../errors.js'

/** No confirmation within 60 s (S9.2). */
export const transactionTimedOut: ErrorSpec<'transaction_timed_out'> = /* @__PURE__ */ errorSpec(
  'transaction_timed_out',
  'Transaction timed out',
)

/** The chain ran it and refused; the program's own logs are in `details`. */
export const transactionFailed: ErrorSpec<'transaction_failed'> = /* @__PURE__ */ errorSpec(
  'transaction_failed',
  'Transaction failed',
)

/** The sender holds no account of the token. */
export const sourceTokenAccountNotFound: ErrorSpec<'source_token_account_not_found'> = /* @__PURE__ */ errorSpec(
  'source_token_account_not_found',
  'Source token account not found',
  5,
)

export const noEnabledNetworks: ErrorSpec<'no_enabled_networks'> = /* @__PURE__ */ errorSpec(
  'no_enabled_networks',
  'No enabled networks',
  5,
)

/** No connected wallet can sign for the address. */
export const signerNotFound: ErrorSpec<'signer_not_found'> = /* @__PURE__ */ errorSpec(
  'signer_not_found',
  'Signer not found',
  9,
)

/** The bytes are not a transaction, or not one that this account can sign. */
export const invalidTransaction: ErrorSpec<'invalid_transaction'> = /* @__PURE__ */ errorSpec(
  'invalid_transaction',
  'Invalid transaction',
  5,
)

export const webauthnUnsupported: ErrorSpec<'webauthn_unsupported'> = /* @__PURE__ */ errorSpec(
  'webauthn_unsupported',
  'Webauthn is not supported on this device',
)

export const unsupportedChain: ErrorSpec<'unsupported_chain'> = /* @__PURE__ */ errorSpec(
  'unsupported_chain',
  'Unsupported chain',
  5,
)

/** The provider's script could not be loaded (S2.6). */
export const appleSdkFailed: ErrorSpec<'apple_sdk_failed'> = /* @__PURE__ */ errorSpec(
  'apple_sdk_failed',
  'Failed to load Apple SDK',
)

/** The balance does not cover amount and fee, or a prefund message says so (S8.9). */
export const insufficientFunds: ErrorSpec<'insufficient_funds'> = /* @__PURE__ */ errorSpec(
  'insufficient_funds',
  'Insufficient funds.',
)

/** No policy pays for this transaction (S8.9). */
export const gasNotSponsored: ErrorSpec<'gas_not_sponsored'> = /* @__PURE__ */ errorSpec(
  'gas_not_sponsored',
  'Transaction gas cannot be sponsored.',
)
