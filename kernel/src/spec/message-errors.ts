/**
 * Errors from section 8 of the specification without a server or social code (S8.3, S8.9), worded exactly as there.
 * "The code is invalid or expired." is in server-errors; the blocked popup, the session timeout and the cancelled
 * connection are in social-errors.
 */
import type { ErrorSpec } from './errors.js'

/** No confirmation within 60 s (S9.2). */
export const transactionTimedOut: ErrorSpec<'transaction_timed_out'> = {
  code: 'transaction_timed_out',
  message: 'Transaction timed out',
}

/** The transaction failed on chain; `details` holds the program's logs. */
export const transactionFailed: ErrorSpec<'transaction_failed'> = {
  code: 'transaction_failed',
  message: 'Transaction failed',
}

/** The sender has no account for the token. */
export const sourceTokenAccountNotFound: ErrorSpec<'source_token_account_not_found'> = {
  code: 'source_token_account_not_found',
  message: 'Source token account not found',
  walletCode: 5,
}

export const noEnabledNetworks: ErrorSpec<'no_enabled_networks'> = {
  code: 'no_enabled_networks',
  message: 'No enabled networks',
  walletCode: 5,
}

/** No connected wallet can sign for the address. */
export const signerNotFound: ErrorSpec<'signer_not_found'> = {
  code: 'signer_not_found',
  message: 'Signer not found',
  walletCode: 9,
}

/** The bytes are not a transaction, or the account can't sign it. */
export const invalidTransaction: ErrorSpec<'invalid_transaction'> = {
  code: 'invalid_transaction',
  message: 'Invalid transaction',
  walletCode: 5,
}

export const webauthnUnsupported: ErrorSpec<'webauthn_unsupported'> = {
  code: 'webauthn_unsupported',
  message: 'Webauthn is not supported on this device',
}

export const unsupportedChain: ErrorSpec<'unsupported_chain'> = {
  code: 'unsupported_chain',
  message: 'Unsupported chain',
  walletCode: 5,
}

/** The provider's script failed to load (S2.6). */
export const appleSdkFailed: ErrorSpec<'apple_sdk_failed'> = {
  code: 'apple_sdk_failed',
  message: 'Failed to load Apple SDK',
}

/** The balance does not cover the amount and the fee, or a prefund message says so (S8.9). */
export const insufficientFunds: ErrorSpec<'insufficient_funds'> = {
  code: 'insufficient_funds',
  message: 'Insufficient funds.',
}

/** No gas policy sponsors this transaction (S8.9). */
export const gasNotSponsored: ErrorSpec<'gas_not_sponsored'> = {
  code: 'gas_not_sponsored',
  message: 'Transaction gas cannot be sponsored.',
}
