/** The steps of a transaction, as data: what each one gives, and what the bus says of it (S4.5). Types only. */
import type { KeybayError } from '@keybay/kernel'

/** How sure the chain must be. `confirmed`: two thirds of the stake have voted; `finalized`: it can not be undone. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

export interface TransferInput {
  /** The sender and payer. Default: the active Solana account. */
  readonly from?: string
  readonly to: string
  /** 1 SOL = 1,000,000,000 lamports. */
  readonly lamports: bigint
  /** A public note, signed by the sender. */
  readonly memo?: string
}
export interface Transfer {
  readonly to: string
  /** lamports */
  readonly lamports: bigint
  readonly memo?: string | undefined
}
export interface BuiltTransaction {
  readonly networkId: number
  /** Who signs. */
  readonly from: string
  /** The wire format; unsigned, or signed by others. */
  readonly transaction: Uint8Array
  /** The last block that may hold it. Undefined for a transaction that the host built and said nothing of. */
  readonly lastValidBlockHeight?: number | undefined
  /** What it moves; undefined for a transaction that the host built. */
  readonly transfer?: Transfer | undefined
}
/** There is enough for amount and fee. */
export interface PricedTransaction extends BuiltTransaction {
  /** lamports */
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

interface Step<Name extends string> {
  /** The same for all steps of one transaction. */
  readonly id: string
  readonly step: Name
}
export type TransactionStep =
  | (Step<'built'> & Pick<BuiltTransaction, 'networkId' | 'from' | 'transfer'>)
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
export interface ConfirmOptions extends CallOptions {
  /** Default `confirmed`. */
  readonly commitment?: Commitment | undefined
}
export interface RunOptions extends ConfirmOptions {
  /** Hears each step of this transaction; the bus tells all listeners of all transactions. */
  readonly onStep?: ((step: TransactionStep) => void) | undefined
}
export interface SendTransactionOptions extends RunOptions {
  /** Who signs. Default: the first required signer that is connected. */
  readonly from?: string
  /** The last block that may hold it; with it, an expired transaction is told as such. */
  readonly lastValidBlockHeight?: number
}
