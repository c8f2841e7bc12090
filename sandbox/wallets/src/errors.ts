/** Errors of real wallets: EIP-1193's codes, which Phantom and others use on Solana too. */

/** Wallet error on the wire: a message, and often a number. */
export interface WalletError extends Error {
  readonly code: number
}

function walletError(message: string, code: number): WalletError {
  return Object.assign(new Error(message), { code })
}

export function userRejected(): WalletError {
  return walletError('User rejected the request.', 4001)
}

export function walletLocked(): WalletError {
  return walletError('The wallet is locked', 4100)
}
/** Returns the error of a device that only signs transactions; -32603 is Phantom's internal error. */
export function messagesUnsupported(): WalletError {
  return walletError('Signing off-chain messages with a hardware wallet is not supported.', -32603)
}

export function invalidParameters(message: string): WalletError {
  return walletError(message, -32602)
}
/** Returns the error for a page that the wallet does not trust, or that requests another account. */
export function notAuthorised(): WalletError {
  return walletError('The requested method and/or account has not been authorized by the user.', 4100)
}

export function methodUnsupported(): WalletError {
  return walletError('The wallet does not support this method.', 4200)
}
/** Returns EIP-3085's error for a chain that must be added first. */
export function chainUnknown(): WalletError {
  return walletError('Unrecognized chain ID. Try adding the chain first.', 4902)
}
