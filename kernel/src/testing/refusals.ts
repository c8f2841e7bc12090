/** Ways in which wallets reject a request. Each call creates a new error, as a wallet does. */

/** Phantom: an Error with the code of EIP-1193 (https://docs.phantom.com/solana/errors). */
function phantom(): unknown {
  return Object.assign(new Error('User rejected the request.'), { code: 4001 })
}
/** MetaMask: a plain object instead of an Error (an EIP-1193 ProviderRpcError that crossed a message channel). */
function metamask(): unknown {
  return { code: 4001, message: 'MetaMask: User denied the request.', stack: '' }
}
/** Solana's wallet adapter: identified by its name, without a code. */
function adapter(): unknown {
  return Object.assign(new Error('Connection request declined'), { name: 'WalletConnectionError' })
}

export const REFUSALS: Readonly<Record<'phantom' | 'metamask' | 'adapter', () => unknown>> = {
  phantom,
  metamask,
  adapter,
}
export type RefusalStyle = keyof typeof REFUSALS
/** A locked wallet: EIP-1193 “unauthorized”. */
export function lockedError(): unknown {
  return Object.assign(new Error('The wallet is locked'), { code: 4100 })
}
