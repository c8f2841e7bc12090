/** Errors of real wallets: EIP-1193's codes, which Phantom and others use on Solana too. */

/** Wallet error on the wire: a message, and often a number. */
export interface WalletError extends Error {
  readonly code: number
}

function walletError(code: number, message: string): () => WalletError {
  return () => Object.assign(new Error(message), { code })
}

export const userRejected = walletError(4001, 'User rejected the request.')
export const walletLocked = walletError(4100, 'The wallet is locked')
/** Error of a device that only signs transactions; -32603 is Phantom's internal error. */
export const messagesUnsupported = walletError(
  -32603,
  'Signing off-chain messages with a hardware wallet is not supported.',
)
/** Error for a page that the wallet does not trust, or that requests another account. */
export const notAuthorised = walletError(
  4100,
  'The requested method and/or account has not been authorized by the user.',
)
export const methodUnsupported = walletError(4200, 'The wallet does not support this method.')
/** EIP-3085's error for a chain that must be added first. */
export const chainUnknown = walletError(4902, 'Unrecognized chain ID. Try adding the chain first.')

export function invalidParameters(message: string): WalletError {
  return walletError(-32602, message)()
}
