/** `keybay.solana`. Types only; `engine.ts` and `transaction/` do the work and load with the first call. */
import type { KeybayError } from '@keybay/kernel'
import type { SolanaNetwork } from '@keybay/kernel/spec'
import type { NetworkSummary, SolanaNetworks } from './networks.js'
import type {
  BuiltTransaction,
  CallOptions,
  Confirmation,
  ConfirmOptions,
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
 * The steps of a transfer, in their order.
 *
 * @example
 * const { build, fee, sign, submit, confirm } = await keybay.solana.steps()
 * const priced = await fee(await build({ to, lamports }))
 * const signed = await sign(priced)
 * await submit(signed)
 * await confirm(signed)
 */
export interface SolanaSteps {
  /**
   * 1. The bytes, with a fresh blockhash, tried out on the chain (`trial`).
   *
   * @throws KeybayError `destination_missing`, `address_invalid`, `amount_invalid`, `invalid_transaction` (too large);
   *   of a token: `source_token_account_not_found`, `insufficient_funds`, `token_refused`, `memo_required`
   */
  build(input: SendInput, options?: PreviewOptions): Promise<BuiltTransaction>
  /**
   * 2. What it costs, asked up to 5 times while the chain names none (S9.2), and whether there is enough.
   *
   * @throws KeybayError `fee_unknown`, `insufficient_funds`, `destination_needs_rent`, `transaction_failed` (it failed in
   *   the trial run; nothing was signed); `details` holds the fee, and what the programs wrote (`logs`)
   */
  fee(built: BuiltTransaction, options?: CallOptions): Promise<PricedTransaction>
  /** 3. Asks the wallet. */
  sign(priced: PricedTransaction, options?: SignOptions): Promise<SignedTransaction>
  /** 4. Resolves with the signature when a node took it. The same bytes may be sent again without harm. */
  submit(signed: SignedTransaction, options?: SubmitOptions): Promise<string>
  /** 5. 60 s at most (S9.2). */
  confirm(signed: SignedTransaction, options?: ConfirmOptions): Promise<Confirmation>

  /**
   * Any time before signing: what would change, and for whom. A failure is told in the answer, not thrown.
   *
   * @example
   * const { changes, failure } = await simulate(await build({ to, token, amount }))
   */
  simulate(built: BuiltTransaction, options?: CallOptions): Promise<Simulation>
  /**
   * Between 1 and 2, which `send` does on mainnet (S7.1): the product API may add compute budget and fee payer. What
   * fails is logged, and the transaction comes back as it was. Anything signed already comes back as it was too.
   *
   * @throws KeybayError with `sponsor` alone: `gas_not_sponsored`, `insufficient_funds` (S8.9)
   */
  optimize(built: BuiltTransaction, options?: OptimizeOptions): Promise<BuiltTransaction>
  /** The token accounts of a wallet, of SPL Token and Token-2022, on the network in use. @throws KeybayError `address_invalid` */
  tokenAccounts(owner: string, options?: CallOptions): Promise<readonly TokenAccount[]>
  /** What was signed here, and how it ended. */
  readonly transactions: SolanaTransactions
  /** Nodes of the user's own. */
  readonly nodes: SolanaNodes
}

/** Everything that loads with the first call. */
export interface SolanaEngine {
  /** The full record (S3.2) of a network, the one in use by default. @throws KeybayError `unsupported_chain` */
  network(networkId?: number): Promise<SolanaNetwork>
  /** lamports. @throws KeybayError `address_invalid`, `rpc_unreachable`, `rpc_refused`, `rpc_malformed`, `aborted` */
  getBalance(address: string, options?: CallOptions): Promise<bigint>
  /**
   * Test networks only; resolves when the coins are there. Never repeated on its own, so that it cannot give twice.
   *
   * @throws KeybayError `unsupported_chain` on mainnet, `address_invalid`, `amount_invalid`
   */
  requestAirdrop(address: string, lamports: bigint, options?: ConfirmOptions): Promise<Confirmation>
  /**
   * Sends SOL, a token, or instructions of the host: build → fee → sign → send → confirm. The wallet is asked once.
   *
   * @example
   * await keybay.solana.send({ to, lamports: parseSol('0.1'), onStep: ({ step }) => console.info(step) })
   * await keybay.solana.send({ to, token: mint, amount: parseAmount('1.5', 6), priority: 'medium' })
   * @throws KeybayError before anything is signed: what `build`, `fee` and `optimize` throw, `account_not_found`;
   *   `user_rejected` by the wallet; afterwards `transaction_failed` or `transaction_timed_out`, their `details` holding the
   *   signature and the reason
   */
  send(input: SendInput & RunOptions): Promise<Confirmation>
  /**
   * Signs, sends and confirms a transaction that the host built; one that is fully signed is only sent (S5.6).
   *
   * @param connection `keybay.solana.networks.current()`, or any object with a `networkId`
   * @throws KeybayError `invalid_transaction`, `send_incomplete`, `signer_not_found`, and as `send`
   */
  sendTransaction(
    transaction: Uint8Array,
    connection: SolanaConnection,
    options?: SendTransactionOptions,
  ): Promise<Confirmation>
  /** The steps of a transfer, each alone. Also fetches their code, which a page may do early. */
  steps(): Promise<SolanaSteps>
}

/** What a page gets as `keybay.solana`. */
export interface SolanaApi extends SolanaEngine {
  readonly networks: SolanaNetworks
  /**
   * Tells the balance (lamports) now and with each change, over a websocket or by polling, and follows the network in use.
   * `onError` hears of each failed look; watching goes on.
   *
   * @returns stop
   */
  watchBalance(address: string, listener: (balance: bigint) => void, onError?: (error: KeybayError) => void): () => void
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    solana: SolanaApi
  }
  interface KeybayEvents {
    /** A step of a transaction (S4.5). */
    'transaction:step': TransactionStep
    /**
     * The network in use is another one, or is reached through another node, from the first call to a chain on. Every wallet hears the chain's name with each
     * request; `without` are the connectors of connected wallets that do not have it: "Unsupported chain" until then.
     */
    'network:changed': {
      readonly network: NetworkSummary
      readonly chain: `solana:${string}`
      readonly without: readonly string[]
    }
  }
}
