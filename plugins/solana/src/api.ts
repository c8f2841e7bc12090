/** Types of `keybay.solana`. Types only; `engine.ts` and `transaction/` implement them and load with the first call. */
import type { KeybayError } from '@keybay/kernel'
import type { SolanaNetwork } from '@keybay/kernel/spec'
import type { NetworkSummary, SolanaNetworks } from './networks.js'
import type { RpcCall } from './rpc/http.js'
import type {
  BuiltTransaction,
  CallOptions,
  Confirmation,
  ConfirmOptions,
  HistoryEntry,
  HistoryOptions,
  OptimizeOptions,
  PreviewOptions,
  PricedTransaction,
  RunOptions,
  SendInput,
  SendTransactionOptions,
  SignedTransaction,
  SignOptions,
  Simulation,
  SolanaConnection,
  SolanaNodes,
  SolanaTransactions,
  SubmitOptions,
  TokenAccount,
  TransactionStep,
} from './steps.js'
/**
 * Steps of a transfer, in order.
 * @example
 * const { build, fee, sign, submit, confirm } = await keybay.solana.steps()
 * const priced = await fee(await build({ to, lamports }))
 * const signed = await sign(priced)
 * await submit(signed)
 * await confirm(signed)
 */
export interface SolanaSteps {
  /**
   * 1. Builds the bytes with a fresh blockhash, and simulates them on the chain (`trial`).
   * @throws KeybayError `destination_missing`, `address_invalid`, `amount_invalid`, `invalid_transaction` (too large); for a
   * token: `source_token_account_not_found`, `insufficient_funds`, `token_refused`, `memo_required`
   */
  build(input: SendInput, options?: PreviewOptions): Promise<BuiltTransaction>
  /**
   * 2. Fetches the fee, up to 5 times until the chain returns one (S9.2), and checks that the balance covers it.
   * @throws KeybayError `fee_unknown`, `insufficient_funds`, `destination_needs_rent`, `transaction_failed` (failed in
   * simulation; nothing was signed); `details` holds the fee and the programs' logs (`logs`)
   */
  fee(built: BuiltTransaction, options?: CallOptions): Promise<PricedTransaction>
  /** 3. Requests the wallet's signature. */
  sign(priced: PricedTransaction, options?: SignOptions): Promise<SignedTransaction>
  /** 4. Sends the transaction; resolves with the signature once a node accepts it. Resending the same bytes is safe. */
  submit(signed: SignedTransaction, options?: SubmitOptions): Promise<string>
  /** 5. Waits for confirmation, at most 60 s (S9.2). */
  confirm(signed: SignedTransaction, options?: ConfirmOptions): Promise<Confirmation>

  /**
   * At any time before signing: returns which accounts would change, and how. The result holds a failure instead of throwing it.
   * @example
   * const { changes, failure } = await simulate(await build({ to, token, amount }))
   */
  simulate(built: BuiltTransaction, options?: CallOptions): Promise<Simulation>
  /**
   * Between steps 1 and 2; `send` does this on mainnet (S7.1). The product API may add a compute budget and a fee payer. Errors
   * are logged, and the transaction is returned unchanged. A signed transaction is also returned unchanged.
   * @throws KeybayError with `sponsor` only: `gas_not_sponsored`, `insufficient_funds` (S8.9)
   */
  optimize(built: BuiltTransaction, options?: OptimizeOptions): Promise<BuiltTransaction>
  /**
   * Returns a wallet's token accounts (SPL Token and Token-2022) on the current network. @throws KeybayError `address_invalid`
   */
  tokenAccounts(owner: string, options?: CallOptions): Promise<readonly TokenAccount[]>
  /**
   * Calls the listener when token accounts of a wallet appeared or changed, or may have: over a websocket or by polling. Follows
   * the current network.
   * @returns a function that stops watching
   */
  watchTokenAccounts(owner: string, listener: () => void): () => void
  /**
   * Returns the newest transactions of an address on the current network, newest first, with what each moved for it.
   * @throws KeybayError `address_invalid`
   * @example
   * const [newest] = await history(address, { limit: 5 })
   * newest?.movement?.tokens.map(({ mint, amount }) => …) // negative: went
   */
  history(address: string, options?: HistoryOptions): Promise<readonly HistoryEntry[]>
  /** Transactions signed here, with their results. */
  readonly transactions: SolanaTransactions
  /** Nodes that the user configured. */
  readonly nodes: SolanaNodes
}

export interface SolanaEngine {
  /** Returns a network's full record (S3.2); default: the current network. @throws KeybayError `unsupported_chain` */
  network(networkId?: number): Promise<SolanaNetwork>
  /**
   * Returns the balance in lamports. @throws KeybayError `address_invalid`, `rpc_unreachable`, `rpc_refused`, `rpc_malformed`,
   * `aborted`
   */
  getBalance(address: string, options?: CallOptions): Promise<bigint>
  /**
   * Requests coins on a test network; resolves once they arrive. Never retried automatically, so it can't pay twice.
   * @throws KeybayError `unsupported_chain` on mainnet, `address_invalid`, `amount_invalid`
   */
  requestAirdrop(address: string, lamports: bigint, options?: ConfirmOptions): Promise<Confirmation>
  /**
   * Sends SOL, a token, or the app's own instructions: build → fee → sign → send → confirm. Requests one signature.
   * @example
   * await keybay.solana.send({ to, lamports: parseSol('0.1'), onStep: ({ step }) => console.info(step) })
   * await keybay.solana.send({ to, token: mint, amount: parseAmount('1.5', 6), priority: 'medium' })
   * @throws KeybayError before signing: the errors of `build`, `fee` and `optimize`, `account_not_found`; `user_rejected` by the
   * wallet; after signing: `transaction_failed` or `transaction_timed_out`, with the signature and the reason in `details`
   */
  send(input: SendInput & RunOptions): Promise<Confirmation>
  /**
   * Signs, sends and confirms a transaction that the app built; a fully signed one is only sent and confirmed (S5.6).
   * @param connection `keybay.solana.networks.current()`, or any object with a `networkId`
   * @throws KeybayError `invalid_transaction`, `send_incomplete`, `signer_not_found`, and the errors of `send`
   */
  sendTransaction(
    transaction: Uint8Array,
    connection: SolanaConnection,
    options?: SendTransactionOptions,
  ): Promise<Confirmation>
  /** Returns the individual steps of a transfer. Call it early to preload their code. */
  steps(): Promise<SolanaSteps>
}

export interface SolanaApi extends SolanaEngine {
  readonly networks: SolanaNetworks
  /**
   * Emits the balance (lamports) now and on each change, over a websocket or by polling, and follows the current network. Calls
   * `onError` for each failed request and keeps watching.
   * @returns a function that stops watching
   */
  watchBalance(address: string, listener: (balance: bigint) => void, onError?: (error: KeybayError) => void): () => void
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    solana: SolanaApi
  }
  interface KeybayEvents {
    /** Emitted for each step of a transaction (S4.5). */
    'transaction:step': TransactionStep
    /** Emitted after each try of a chain call. */
    'rpc:called': RpcCall & { readonly networkId: number }
    /**
     * Emitted when the network or its node changes, once the first chain call was made. Wallets receive the chain's name with
     * each request; `without` lists connectors of connected wallets that lack it: "Unsupported chain" until then.
     */
    'network:changed': {
      readonly network: NetworkSummary
      readonly chain: `solana:${string}`
      readonly without: readonly string[]
    }
  }
}
