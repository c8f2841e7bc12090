/**
 * Errors from section 8 of the specification without a server or social code (S8.3, S8.9), worded exactly as there.
 * "The code is invalid or expired." is in server-errors; the blocked popup, the session timeout and the cancelled
 * connection are in social-errors.
 */
/** No confirmation within 60 s (S9.2). */
export const transactionTimedOut = { code: 'transaction_timed_out', message: 'Transaction timed out' } as const
/** The transaction failed on chain; `details` holds the program's logs. */
export const transactionFailed = { code: 'transaction_failed', message: 'Transaction failed' } as const
/** The sender has no account for the token. */
export const sourceTokenAccountNotFound = {
  code: 'source_token_account_not_found',
  message: 'Source token account not found',
  walletCode: 5,
} as const
export const noEnabledNetworks = { code: 'no_enabled_networks', message: 'No enabled networks', walletCode: 5 } as const
/** No connected wallet can sign for the address. */
export const signerNotFound = { code: 'signer_not_found', message: 'Signer not found', walletCode: 9 } as const
/** The bytes are not a transaction, or the account can't sign it. */
export const invalidTransaction = {
  code: 'invalid_transaction',
  message: 'Invalid transaction',
  walletCode: 5,
} as const
export const webauthnUnsupported = {
  code: 'webauthn_unsupported',
  message: 'Webauthn is not supported on this device',
} as const
export const unsupportedChain = { code: 'unsupported_chain', message: 'Unsupported chain', walletCode: 5 } as const
/** The provider's script failed to load (S2.6). */
export const appleSdkFailed = { code: 'apple_sdk_failed', message: 'Failed to load Apple SDK' } as const
/** The balance does not cover the amount and the fee, or a prefund message says so (S8.9). */
export const insufficientFunds = { code: 'insufficient_funds', message: 'Insufficient funds.' } as const
/** No gas policy sponsors this transaction (S8.9). */
export const gasNotSponsored = { code: 'gas_not_sponsored', message: 'Transaction gas cannot be sponsored.' } as const
