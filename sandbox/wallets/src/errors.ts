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
