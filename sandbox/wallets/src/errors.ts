/** Refusals as real wallets make them: EIP-1193's codes, which Phantom and others use on Solana too. */

/** What a wallet's error is on the wire: a message, and often a number. */
export interface WalletError extends Error {
  readonly code: number
}
const walletError = (message: string, code: number): WalletError => Object.assign(new Error(message), { code })

export const userRejected = (): WalletError => walletError('User rejected the request.', 4001)
export const walletLocked = (): WalletError => walletError('The wallet is locked', 4100)
/** What a device that signs transactions only answers; -32603 is what Phantom calls an internal error. */
export const messagesUnsupported = (): WalletError =>
  walletError('Signing off-chain messages with a hardware wallet is not supported.', -32603)
export const invalidParameters = (message: string): WalletError => walletError(message, -32602)
/** To a page that it does not trust, or that asks for another account. */
export const notAuthorised = (): WalletError =>
  walletError('The requested method and/or account has not been authorized by the user.', 4100)
export const methodUnsupported = (): WalletError => walletError('The wallet does not support this method.', 4200)
/** EIP-3085's number for a chain that must be added first. */
export const chainUnknown = (): WalletError => walletError('Unrecognized chain ID. Try adding the chain first.', 4902)
