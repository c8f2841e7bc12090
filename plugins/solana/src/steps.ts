/** The steps of a transaction, as data: what each one gives, and what the bus says of it (S4.5). Types only. */
import type { KeybayError } from '@keybay/kernel'
import type { Instruction } from './instruction.js'

/** How sure the chain must be. `confirmed`: two thirds of the stake have voted; `finalized`: it can not be undone. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/**
 * What may be paid on top, so that a busy chain takes it sooner. Measured on the fees that were paid of late for the
 * accounts that the transaction writes. `low`, `medium`, `high`: percentiles 25, 50 and 75, at most 1,000,000 lamports.
 */
export type Priority =
  | 'none'
  | 'low'
  | 'medium'
  | 'high'
  | {
      /** 0–100 of the fees paid of late. */
      readonly percentile: number
      /** Never more than this in all, lamports. */
      readonly maxLamports: bigint
    }

/** What every kind of transaction may be given. */
export interface BuildOptions {
  /** The sender. Default: the active Solana account. */
  readonly from?: string | undefined
  /** Who pays the fee, and signs too (`cosign`). Default: the sender. */
  readonly feePayer?: string | undefined
  /** A public note, signed by the sender. */
  readonly memo?: string | undefined
  /** Default: legacy; version 0 where it fits only with a lookup table. */
  readonly version?: 'legacy' | 0 | undefined
  /** Addresses of lookup tables. Those that the sender has made are found by themselves where they are needed. */
  readonly lookupTables?: readonly string[] | undefined
  /** A durable nonce in the place of a blockhash: the transaction lives until the nonce moves on. */
  readonly nonce?: { readonly account: string; readonly authority?: string | undefined } | undefined
  /** Default `none`. */
  readonly priority?: Priority | undefined
  /** The compute limit. Default: with a priority, what the trial run used and a fifth more; without, the chain's own. */
  readonly computeUnits?: number | undefined
  /** Other instructions, after the transfers, before the note. */
  readonly instructions?: readonly Instruction[] | undefined
}
export interface TransferInput extends BuildOptions {
  readonly to: string
  /** 1 SOL = 1,000,000,000 lamports. */
  readonly lamports: bigint
}
export interface TokenTransferInput extends BuildOptions {
  /** The wallet that receives, or a token account of that mint. Its associated account is made when there is none. */
  readonly to: string
  /** The mint, of SPL Token or Token-2022. */
  readonly token: string
  /** In the token's smallest unit: `parseAmount('1.5', decimals)`. */
  readonly amount: bigint
}
/** Several receivers in one transaction: all get theirs, or none. */
export interface TransfersInput extends BuildOptions {
  /** Lamports, or the token's smallest units. */
  readonly transfers: readonly { readonly to: string; readonly amount: bigint }[]
  /** The mint; SOL without one. */
  readonly token?: string | undefined
}
/** Only the host's own instructions. */
export interface InstructionsInput extends BuildOptions {
  readonly instructions: readonly Instruction[]
}
export type SendInput = TransferInput | TokenTransferInput | TransfersInput | InstructionsInput

/** A transfer of SOL, as the steps tell it. */
export interface Transfer {
  readonly to: string
  /** lamports */
  readonly lamports: bigint
  readonly memo?: string | undefined
}
/** What one receiver gets, known before anything is signed. */
export interface PlannedTransfer {
  readonly to: string
  /** What leaves the sender: lamports, or the token's smallest units. */
  readonly amount: bigint
  /** Undefined for SOL. */
  readonly token?: PlannedToken | undefined
}
export interface PlannedToken {
  readonly mint: string
  /** The token program. */
  readonly program: string
  readonly decimals: number
  /** The token account that receives. */
  readonly account: string
  /** It does not exist yet, and the fee payer makes it. */
  readonly creates: boolean
  /** What the token itself keeps of the amount (Token-2022 transfer fee), smallest units; the receiver gets the rest. */
  readonly withheld: bigint
}

export interface BuiltTransaction {
  readonly networkId: number
  /** Who signs. */
  readonly from: string
  /** The wire format; unsigned, or signed by others. */
  readonly transaction: Uint8Array
  /** The last block that may hold it. Undefined with a durable nonce, or where the host said nothing of it. */
  readonly lastValidBlockHeight?: number | undefined
  /** What it moves, where that is SOL to one receiver. */
  readonly transfer?: Transfer | undefined
  /** All that it moves; undefined for a transaction that the host built. */
  readonly transfers?: readonly PlannedTransfer[] | undefined
  /** The durable nonce that it stands on. */
  readonly nonce?: { readonly account: string; readonly value: string } | undefined
  /** How the trial run went that came with the building; undefined where there was none. */
  readonly trial?: Trial | undefined
}
export interface Trial {
  /** Compute units that it used. */
  readonly units: number
  /** Why it would fail; undefined: it would land. */
  readonly failure?: DecodedFailure | undefined
  /** What the programs wrote. */
  readonly logs: readonly string[]
}
/** There is enough for amount and fee. */
export interface PricedTransaction extends BuiltTransaction {
  /** lamports, the priority fee among them */
  readonly fee: bigint
}
export interface SignedTransaction extends BuiltTransaction {
  /** Base58; the transaction's name on the chain. */
  readonly signature: string
}
export interface Confirmation {
  readonly signature: string
  readonly slot: number
}

/** What the chain said of a failure, in its own words and in ours. */
export interface DecodedFailure {
  /** For people: "instruction 1: the account does not hold enough tokens". */
  readonly reason: string
  /** The chain's TransactionError, as it came. */
  readonly failure: unknown
  /** Which instruction failed, from 0. */
  readonly instruction?: number | undefined
  /** Its program's address. */
  readonly program?: string | undefined
  /** The error as the program names it: `InsufficientFunds`. */
  readonly name?: string | undefined
}
/** One line of what a transaction would change. */
export interface BalanceChange {
  /** The wallet whose balance changes. */
  readonly owner: string
  /** Lamports, or the token's smallest units. */
  readonly before: bigint
  readonly after: bigint
  /** Undefined for SOL. */
  readonly token?:
    | { readonly mint: string; readonly account: string; readonly program: string; readonly decimals: number }
    | undefined
}
/** What would happen, from a trial run on the chain; nothing is signed or sent. */
export interface Simulation extends Trial {
  /** SOL first, then tokens, of each the sender's own first; the fee is among the SOL of who pays it. Empty when it would fail. */
  readonly changes: readonly BalanceChange[]
}

/** A token account of a wallet. */
export interface TokenAccount {
  readonly address: string
  readonly mint: string
  /** SPL Token or Token-2022. */
  readonly program: string
  /** Smallest units. */
  readonly amount: bigint
  readonly decimals: number
  readonly frozen: boolean
}

/** What this browser has signed and the chain has not yet answered for, and how the others of this page ended. */
export interface TransactionRecord {
  readonly signature: string
  readonly networkId: number
  readonly from: string
  readonly transfers: readonly PlannedTransfer[]
  /** When it was signed, ms since 1970. */
  readonly signedAt: number
  /** `pending`: it may land yet. `expired`: it never will. */
  readonly status: 'pending' | 'confirmed' | 'failed' | 'expired'
  /** Where it landed. */
  readonly slot?: number | undefined
  readonly error?: KeybayError | undefined
}
export interface SolanaTransactions {
  /** Newest first. The same array until something changed. */
  list(): readonly TransactionRecord[]
  /** Reads what an earlier page left, and goes on confirming it. Never rejects. */
  resume(): Promise<void>
  subscribe(listener: () => void): () => void
}

export interface NodeOptions extends CallOptions {
  /** Default: the network in use. */
  readonly networkId?: number | undefined
}
/** Nodes of the user's own, one for each network, in the place of all of the network's. */
export interface SolanaNodes {
  /** Undefined: there is none of their own. @param networkId default: the network in use. @throws KeybayError `unsupported_chain` */
  get(networkId?: number): Promise<string | undefined>
  /**
   * Asks the node which chain it is of, and then uses it alone, from the next call on: `network:changed` tells. It is
   * kept on this device as it is, so it should hold no key that nobody may see. A page with a content security policy must allow
   * it to be reached (`connect-src`).
   *
   * @param rpcUrl https, or http on this machine
   * @throws KeybayError `rpc_url_invalid`; `rpc_wrong_network` (its genesis hash is another one; a local chain may have any but
   *   that of a network that is known); `rpc_unreachable`, `rpc_refused`, `rpc_malformed`, `unsupported_chain`, `aborted`
   * @example await (await keybay.solana.steps()).nodes.set('https://rpc.example/', { networkId: 101 })
   */
  set(rpcUrl: string, options?: NodeOptions): Promise<void>
  /** The network's own again. @param networkId default: the network in use. @throws KeybayError `unsupported_chain` */
  remove(networkId?: number): Promise<void>
}

interface Step<Name extends string> {
  /** The same for all steps of one transaction. */
  readonly id: string
  readonly step: Name
}
export type TransactionStep =
  | (Step<'built'> & Pick<BuiltTransaction, 'networkId' | 'from' | 'transfer' | 'transfers'>)
  /** lamports */
  | (Step<'fee'> & { readonly fee: bigint })
  | (Step<'signed'> & { readonly signature: string })
  /** `acknowledged` false: no node answered, yet one may have it; confirming goes on and sends the same bytes again. */
  | (Step<'sent'> & { readonly signature: string; readonly acknowledged: boolean })
  | (Step<'confirmed'> & Confirmation)
  /** `signature` is there when it had been signed. */
  | (Step<'failed'> & { readonly error: KeybayError; readonly signature?: string | undefined })

/** Where a transaction goes: `keybay.solana.networks.current()` is one. */
export interface SolanaConnection {
  readonly networkId: number
}
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}
export interface PreviewOptions extends CallOptions {
  /**
   * It is to be looked at and will not be signed: then what it costs is what sending the same would cost. Two that are
   * to be signed are made two transactions, and the second may cost a lamport more. Default false.
   */
  readonly preview?: boolean | undefined
}
export interface ConfirmOptions extends CallOptions {
  /** Default `confirmed`. */
  readonly commitment?: Commitment | undefined
}
export interface SubmitOptions extends ConfirmOptions {
  /** A trial run by the node before it takes the bytes. Default true. */
  readonly preflight?: boolean | undefined
}
export interface SignOptions extends CallOptions {
  /** Others who must sign: gets the bytes that the wallet has signed, gives them back with the missing signatures. */
  readonly cosign?: ((transaction: Uint8Array) => Promise<Uint8Array>) | undefined
}
export interface OptimizeOptions extends CallOptions {
  /** The product API pays the fee, or nothing is signed: "Transaction gas cannot be sponsored." Default false. */
  readonly sponsor?: boolean | undefined
}
export interface RunOptions extends SubmitOptions, SignOptions, OptimizeOptions {
  /** Hears each step of this transaction; the bus tells all listeners of all transactions. */
  readonly onStep?: ((step: TransactionStep) => void) | undefined
}
export interface SendTransactionOptions extends RunOptions {
  /** Who signs. Default: the first required signer that is connected. */
  readonly from?: string
  /** The last block that may hold it; with it, an expired transaction is told as such. */
  readonly lastValidBlockHeight?: number
}
