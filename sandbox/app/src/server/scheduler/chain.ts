/** The scheduler's access to the chain. */
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
import type { Problem } from './schedule.js'

/** Maximum time to wait for a response, in ms, so that a hanging request does not block payments. */
const TIMEOUT_MS = 30_000

export const fetchInTime: typeof fetch = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })

/** `gone`: no block contains the transaction, and no later block can. */
type Outcome = 'paid' | 'unknown' | 'gone' | Problem

export type PaymentChain = ReturnType<typeof connectChain>

export function getSignature(signed: Uint8Array): string {
  return bs58.encode(VersionedTransaction.deserialize(signed).signatures[0] ?? new Uint8Array(64))
}

/** A failed simulation is final, unless the node has not seen the block hash yet. */
const REFUSED = /^Transaction simulation failed/
/** Errors of the System program's transfer, and of fees and rent. */
const TOO_LITTLE = /custom program error: 0x1$|insufficient funds/i
const NOT_YET = /blockhash not found|already been processed/i

function refusalIn(error: unknown): Problem | undefined {
  if (!(error instanceof SendTransactionError)) return undefined
  const { message } = error.transactionError
  if (TOO_LITTLE.test(message)) return { code: insufficientFunds.code, message: insufficientFunds.message }
  return REFUSED.test(message) && !NOT_YET.test(message) ? { code: 'not_sent', message } : undefined
}

/** @param url JSON-RPC, e.g. `http://localhost:8899` */
export function connectChain(url: string) {
  const connection = new Connection(url, { commitment: 'confirmed', disableRetryOnRateLimit: true, fetch: fetchInTime })
  return {
    /** Returns the wire format without the signature, and the last block height that accepts the transaction. */
    async build({ from, to, lamports }: { from: string; to: string; lamports: bigint }) {
      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
      const payerKey = new PublicKey(from)
      const instructions = [SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: new PublicKey(to), lamports })]
      const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions })
      return { bytes: new VersionedTransaction(message.compileToLegacyMessage()).serialize(), lastValidBlockHeight }
    },
    /** @returns the final reason for a rejection by the node; rejects when the outcome is unknown */
    async send(signed: Uint8Array): Promise<Problem | undefined> {
      try {
        await connection.sendRawTransaction(signed, { maxRetries: 0 })
        return undefined
      } catch (error) {
        const refusal = refusalIn(error)
        if (refusal) return refusal
        throw error
      }
    },
    async outcome(signature: string, lastValidBlockHeight: number): Promise<Outcome> {
      // Read the height first: a transaction in no block after that height can never be included.
      const height = await connection.getBlockHeight('finalized')
      const { value } = await connection.getSignatureStatus(signature, { searchTransactionHistory: true })
      if (!value) return height > lastValidBlockHeight ? 'gone' : 'unknown'
      if (value.err) return { code: 'transaction_failed', message: JSON.stringify(value.err) }
      return value.confirmationStatus === 'processed' ? 'unknown' : 'paid'
    },
  }
}
