/** Steps of a transaction as data: the result of each step, and its event on the bus (S4.5). Types only. */
import type { KeybayError } from '@keybay/kernel'
import type { Instruction } from './instruction.js'

/** Required certainty. `confirmed`: two thirds of the stake have voted; `finalized`: it can't be undone. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/**
 * Priority fee, so that a busy chain processes the transaction sooner. Based on recent fees for the accounts that it writes.
 * `low`, `medium`, `high`: percentiles 25, 50 and 75, at most 1,000,000 lamports.
 */
export type Priority =
  | 'none'
  | 'low'
  | 'medium'
  | 'high'
  | {
      /** Percentile of recent fees, 0–100. */
      readonly percentile: number
      /** Maximum total, in lamports. */
      readonly maxLamports: bigint
    }

export interface BuildOptions {
  /** Sender. Default: the active Solana account. */
  readonly from?: string | undefined
  /** Account that pays the fee, and also signs (`cosign`). Default: the sender. */
  readonly feePayer?: string | undefined
  /** Public memo, signed by the sender. */
  readonly memo?: string | undefined
  /** Default: legacy; version 0 if the transaction fits only with a lookup table. */
  readonly version?: 'legacy' | 0 | undefined
  /** Addresses of lookup tables. The sender's own tables are found automatically if needed. */
  readonly lookupTables?: readonly string[] | undefined
  /** Durable nonce in place of a blockhash: the transaction stays valid until the nonce advances. */
  readonly nonce?: { readonly account: string; readonly authority?: string | undefined } | undefined
  /** Default `none`. */
  readonly priority?: Priority | undefined
  /** Compute limit. Default: with a priority, simulated usage plus a fifth; without, the chain's default. */
  readonly computeUnits?: number | undefined
  /** Additional instructions, after the transfers and before the memo. */
  readonly instructions?: readonly Instruction[] | undefined
}
export interface TransferInput extends BuildOptions {
  readonly to: string
  /** 1 SOL = 1,000,000,000 lamports. */
  readonly lamports: bigint
}
export interface TokenTransferInput extends BuildOptions {
  /** Receiving wallet, or a token account of that mint. Creates the wallet's associated account if missing. */
  readonly to: string
  /** Mint of SPL Token or Token-2022. */
  readonly token: string
  /** Amount in the token's smallest unit: `parseAmount('1.5', decimals)`. */
  readonly amount: bigint
}
/** Several receivers in one transaction: all of them receive their amount, or none. */
export interface TransfersInput extends BuildOptions {
  /** In lamports, or the token's smallest units. */
  readonly transfers: readonly { readonly to: string; readonly amount: bigint }[]
  /** Mint; omit for SOL. */
  readonly token?: string | undefined
}

export interface InstructionsInput extends BuildOptions {
  readonly instructions: readonly Instruction[]
}
export type SendInput = TransferInput | TokenTransferInput | TransfersInput | InstructionsInput

export interface Transfer {
  readonly to: string
  /** lamports */
  readonly lamports: bigint
  readonly memo?: string | undefined
}
/** Amount that one receiver gets, known before signing. */
export interface PlannedTransfer {
  readonly to: string
  /** Amount that leaves the sender, in lamports or the token's smallest units. */
  readonly amount: bigint
  /** Undefined for SOL. */
  readonly token?: PlannedToken | undefined
}
export interface PlannedToken {
  readonly mint: string
  readonly program: string
  readonly decimals: number
  readonly account: string
  /** True if it does not exist yet; the fee payer then creates it. */
  readonly creates: boolean
  /** Amount withheld by the token (Token-2022 transfer fee), in smallest units; the receiver gets the rest. */
  readonly withheld: bigint
}

export interface BuiltTransaction {
  readonly networkId: number
  readonly from: string
  /** Wire format; unsigned, or signed by others. */
  readonly transaction: Uint8Array
  /** Last block that can include the transaction. Undefined with a durable nonce, or if the app did not give it. */
  readonly lastValidBlockHeight?: number | undefined
  /** Set if the transaction only transfers SOL to one receiver. */
  readonly transfer?: Transfer | undefined
  /** All transfers; undefined for a transaction that the app built. */
  readonly transfers?: readonly PlannedTransfer[] | undefined
  readonly nonce?: { readonly account: string; readonly value: string } | undefined
  /** Result of the simulation during the build; undefined without one. */
  readonly trial?: Trial | undefined
}
export interface Trial {
  readonly units: number
  /** Reason for a failure; undefined if the transaction would succeed. */
  readonly failure?: DecodedFailure | undefined
  readonly logs: readonly string[]
}
/** Transaction whose amount and fee the balance covers. */
export interface PricedTransaction extends BuiltTransaction {
  /** Fee in lamports, including the priority fee. */
  readonly fee: bigint
}
export interface SignedTransaction extends BuiltTransaction {
  /** Base58; identifies the transaction on the chain. */
  readonly signature: string
}
export interface Confirmation {
  readonly signature: string
  readonly slot: number
}
/** Chain failure, raw and decoded. */
export interface DecodedFailure {
  /** Readable reason: "instruction 1: the account does not hold enough tokens". */
  readonly reason: string
  /** The chain's TransactionError, unchanged. */
  readonly failure: unknown
  /** Index of the failed instruction, from 0. */
  readonly instruction?: number | undefined
  /** Address of the failed instruction's program. */
  readonly program?: string | undefined
  /** Error name from the program: `InsufficientFunds`. */
  readonly name?: string | undefined
}
/** Balance that a transaction would change. */
export interface BalanceChange {
  readonly owner: string
  /** In lamports, or the token's smallest units. */
  readonly before: bigint
  readonly after: bigint
  /** Undefined for SOL. */
  readonly token?:
    | { readonly mint: string; readonly account: string; readonly program: string; readonly decimals: number }
    | undefined
}
/** Predicted result of a transaction, from a simulation on the chain; nothing is signed or sent. */
export interface Simulation extends Trial {
  /** SOL first, then tokens; for each, the sender's first. The payer's SOL change includes the fee. Empty if it would fail. */
  readonly changes: readonly BalanceChange[]
}

export interface TokenAccount {
  readonly address: string
  readonly mint: string
  /** SPL Token or Token-2022. */
  readonly program: string
  /** In smallest units. */
  readonly amount: bigint
  readonly decimals: number
  readonly frozen: boolean
}
/** Amount of a token that came or went, in the token's smallest units; negative if it went. */
export interface TokenMovement {
  readonly account: string
  readonly mint: string
  readonly decimals: number
  readonly amount: bigint
}
/** Changes that a transaction made to the balances of an address. */
export interface HistoryMovement {
  /** Change of the address's own balance, with the fee if it paid it. Negative if lamports went. */
  readonly lamports: bigint
  /** Tokens of its accounts, or of the address itself if it is a token account. */
  readonly tokens: readonly TokenMovement[]
}
/** Transaction on the chain that an address takes part in. */
export interface HistoryEntry {
  readonly signature: string
  readonly slot: number
  /** In ms since 1970; undefined if the node does not know it. */
  readonly time: number | undefined
  readonly failed: boolean
  readonly memo: string | undefined
  /** Undefined while the node knows the signature alone. */
  readonly movement: HistoryMovement | undefined
}
export interface HistoryOptions extends CallOptions {
  /** Default 25. */
  readonly limit?: number
}
/** Transaction that this browser signed: unconfirmed, or from this page with its result. */
export interface TransactionRecord {
  readonly signature: string
  readonly networkId: number
  readonly from: string
  readonly transfers: readonly PlannedTransfer[]
  /** Time of signing, in ms since 1970. */
  readonly signedAt: number
  /** `pending`: may still land. `expired`: can no longer land. */
  readonly status: 'pending' | 'confirmed' | 'failed' | 'expired'
  readonly slot?: number | undefined
  readonly error?: KeybayError | undefined
}
export interface SolanaTransactions {
  /** Newest first. The same array until a change. */
  list(): readonly TransactionRecord[]
  /** Reads transactions left by an earlier page, and continues confirming them. Never rejects. */
  resume(): Promise<void>
  subscribe(listener: () => void): () => void
}

export interface NodeOptions extends CallOptions {
  /** Default: the current network. */
  readonly networkId?: number | undefined
}
/** User's own nodes, at most one per network; each replaces all of the network's nodes. */
export interface SolanaNodes {
  /** Undefined: there is none of their own. @param networkId default: the network in use. @throws KeybayError `unsupported_chain` */
  get(networkId?: number): Promise<string | undefined>
  /**
   * Checks which chain the node belongs to, then uses only this node from the next call on, and emits `network:changed`. The URL
   * is stored unencrypted on this device, so it should hold no secret key. A page with a content security policy must allow it
   * (`connect-src`).
   * @param rpcUrl https, or http on this machine
   * @throws KeybayError `rpc_url_invalid`; `rpc_wrong_network` (different genesis hash; a local chain may have any except that of
   * a known network); `rpc_unreachable`, `rpc_refused`, `rpc_malformed`, `unsupported_chain`, `aborted`
   * @example await (await keybay.solana.steps()).nodes.set('https://rpc.example/', { networkId: 101 })
   */
  set(rpcUrl: string, options?: NodeOptions): Promise<void>
  /** The network's own again. @param networkId default: the network in use. @throws KeybayError `unsupported_chain` */
  remove(networkId?: number): Promise<void>
}

interface Step<Name extends string> {
  /** Shared by all steps of one transaction. */
  readonly id: string
  readonly step: Name
}
export type TransactionStep =
  | (Step<'built'> & Pick<BuiltTransaction, 'networkId' | 'from' | 'transfer' | 'transfers'>)
  /** lamports */
  | (Step<'fee'> & { readonly fee: bigint })
  | (Step<'signed'> & { readonly signature: string })
  /** `acknowledged` false: no node responded, but one may have received it; confirming continues and resends the same bytes. */
  | (Step<'sent'> & { readonly signature: string; readonly acknowledged: boolean })
  | (Step<'confirmed'> & Confirmation)
  /** `signature` is set if the transaction was already signed. */
  | (Step<'failed'> & { readonly error: KeybayError; readonly signature?: string | undefined })

/** Network for a transaction, e.g. `keybay.solana.networks.current()`. */
export interface SolanaConnection {
  readonly networkId: number
}
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}
export interface PreviewOptions extends CallOptions {
  /**
   * Builds only to preview the cost of sending; never sign the result. Two identical transactions for signing are made distinct,
   * so the second may cost a lamport more. Default false.
   */
  readonly preview?: boolean | undefined
}
export interface ConfirmOptions extends CallOptions {
  /** Default `confirmed`. */
  readonly commitment?: Commitment | undefined
}
export interface SubmitOptions extends ConfirmOptions {
  /** Has the node simulate the transaction before accepting it. Default true. */
  readonly preflight?: boolean | undefined
}
export interface SignOptions extends CallOptions {
  /** Adds other required signatures: receives the bytes that the wallet signed, and returns them fully signed. */
  readonly cosign?: ((transaction: Uint8Array) => Promise<Uint8Array>) | undefined
}
export interface OptimizeOptions extends CallOptions {
  /**
   * Requires the product API to pay the fee; otherwise nothing is signed: "Transaction gas cannot be sponsored." Default false.
   */
  readonly sponsor?: boolean | undefined
}
export interface RunOptions extends SubmitOptions, SignOptions, OptimizeOptions {
  /** Called for each step of this transaction; the bus emits the steps of all transactions. */
  readonly onStep?: ((step: TransactionStep) => void) | undefined
}
export interface SendTransactionOptions extends RunOptions {
  /** Signing account. Default: the first required signer that is connected. */
  readonly from?: string
  /** Last block that can include the transaction; allows an expired transaction to be reported as such. */
  readonly lastValidBlockHeight?: number
}
