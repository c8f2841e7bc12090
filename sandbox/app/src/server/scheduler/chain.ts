/** What the scheduler asks of the chain. */
import { insufficientFunds } from '@keybay/kernel/spec'
import {
  Connection,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { fetchInTime } from './in-time.js'
import type { Problem } from './schedule.js'

export interface Payment {
  readonly from: string
  readonly to: string
  /** lamports */
  readonly lamports: bigint
}
export interface Unsigned {
  /** The wire format, without its signature. */
  readonly bytes: Uint8Array
  /** The last block that takes it. */
  readonly lastValidBlockHeight: number
}
/** `gone`: it is in no block, and no block takes it any more. */
export type Outcome = 'paid' | 'unknown' | 'gone' | Problem

export interface PaymentChain {
  build(payment: Payment): Promise<Unsigned>
  /** @returns why the node will not have it, which is final; rejects when that is not known */
  send(signed: Uint8Array): Promise<Problem | undefined>
  outcome(signature: string, lastValidBlockHeight: number): Promise<Outcome>
}

/** The payer's signature, which names the transaction. */
export function signatureOf(signed: Uint8Array): string {
  return bs58.encode(VersionedTransaction.deserialize(signed).signatures[0] ?? new Uint8Array(64))
}

/** A simulation that failed is final; but not for a block hash that this node has not seen yet. */
const REFUSED = /^Transaction simulation failed/
/** Of the System program's transfer, and of fees and rent. */
const TOO_LITTLE = /custom program error: 0x1$|insufficient funds/i
const NOT_YET = /blockhash not found|already been processed/i

function refusalIn(error: unknown): Problem | undefined {
  if (!(error instanceof SendTransactionError)) return undefined
  const { message } = error.transactionError
  if (TOO_LITTLE.test(message)) return { code: insufficientFunds.code, message: insufficientFunds.message }
  return REFUSED.test(message) && !NOT_YET.test(message) ? { code: 'not_sent', message } : undefined
}

/** @param url JSON-RPC, e.g. `http://localhost:8899` */
export function connectChain(url: string): PaymentChain {
  const connection = new Connection(url, { commitment: 'confirmed', disableRetryOnRateLimit: true, fetch: fetchInTime })
  return {
    async build({ from, to, lamports }) {
      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
      const payerKey = new PublicKey(from)
      const instructions = [SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: new PublicKey(to), lamports })]
      const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions })
      return { bytes: new VersionedTransaction(message.compileToLegacyMessage()).serialize(), lastValidBlockHeight }
    },
    async send(signed) {
      try {
        await connection.sendRawTransaction(signed, { maxRetries: 0 })
        return undefined
      } catch (error) {
        const refusal = refusalIn(error)
        if (refusal) return refusal
        throw error
      }
    },
    async outcome(signature, lastValidBlockHeight) {
      // First the height: what is in no block after that will never be in one.
      const height = await connection.getBlockHeight('finalized')
      const { value } = await connection.getSignatureStatus(signature, { searchTransactionHistory: true })
      if (!value) return height > lastValidBlockHeight ? 'gone' : 'unknown'
      if (value.err) return { code: 'transaction_failed', message: JSON.stringify(value.err) }
      return value.confirmationStatus === 'processed' ? 'unknown' : 'paid'
    },
  }
}
