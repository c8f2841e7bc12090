/** Features of EVM wallets. The Wallet Standard defines none, so these are Keybay's. */
import type { AcceptsSignal } from '@keybay/kernel'
import type { WalletAccount } from '@wallet-standard/base'

export type EvmChain = `eip155:${number}`
export type Hex = `0x${string}`
/** `eth_sendTransaction`, without the fields that the wallet fills in. https://ethereum.org/developers/docs/apis/json-rpc */
export interface EvmTransaction {
  /** Without it the transaction creates a contract. */
  readonly to?: Hex
  /** wei */
  readonly value?: bigint
  readonly data?: Hex
  /** Units of gas. */
  readonly gas?: bigint
}
/** The node's receipt; numbers are hex. */
export interface EvmReceipt {
  readonly transactionHash: Hex
  readonly blockNumber: Hex
  readonly blockHash?: Hex
  readonly status?: Hex
}
export interface EvmSignMessage extends AcceptsSignal {
  readonly version: string
  /** `personal_sign` (EIP-191). The signature has 65 bytes. */
  signMessage(input: {
    readonly account: WalletAccount
    readonly message: Uint8Array
    readonly signal?: AbortSignal | undefined
  }): Promise<{ readonly signature: Hex }>
}
export interface EvmSignTypedData extends AcceptsSignal {
  readonly version: string
  /** `eth_signTypedData_v4` (EIP-712). */
  signTypedData(input: {
    readonly account: WalletAccount
    readonly typedData: object
    readonly signal?: AbortSignal | undefined
  }): Promise<{ readonly signature: Hex }>
}
export interface EvmSwitchChain {
  readonly version: string
  /**
   * `wallet_switchEthereumChain`, and `wallet_addEthereumChain` (EIP-3085) with `add` where the wallet does not know it.
   * @throws KeybayError `evm_chain_unknown` without `add`
   */
  switchChain(input: { readonly chain: EvmChain; readonly add?: EvmChainFacts }): Promise<void>
}
export interface EvmChainFacts {
  readonly chainName: string
  readonly rpcUrls: readonly string[]
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly blockExplorerUrls?: readonly string[]
}
export interface EvmSendTransaction {
  readonly version: string
  /**
   * Resolves with the receipt; waits up to 180000 ms (S9.10).
   * @throws KeybayError `transaction_timed_out`: sent, but not in a block in time; `transaction_failed`: in a block, and
   * reverted. `details.hash` is the transaction's hash.
   */
  sendTransaction(input: {
    readonly account: WalletAccount
    readonly transaction: EvmTransaction
    /** Rejected if the wallet is on another chain. */
    readonly chain?: EvmChain
    /** Runs when the wallet has sent the transaction. */
    readonly onSent?: (hash: Hex) => void
    readonly signal?: AbortSignal
  }): Promise<EvmReceipt>
}
declare module '@keybay/kernel' {
  interface WalletFeatures {
    'evm:signMessage': EvmSignMessage
    'evm:signTypedData': EvmSignTypedData
    'evm:switchChain': EvmSwitchChain
    'evm:sendTransaction': EvmSendTransaction
  }
}
