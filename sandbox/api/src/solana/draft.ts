/** A transaction that nobody has signed: read, and made again with another payer or a compute budget. */
import { invalidTransaction } from '@keybay/kernel/spec'
import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { ApiError } from '../http/errors.js'
import type { SolanaChain } from './chain.js'

/** What a network packet holds. */
export const MOST_BYTES = 1232
/** First bytes of the compute budget's instructions. */
const [SET_LIMIT, SET_PRICE] = [2, 3] as const
const ADVANCE_NONCE = 4

export interface Draft {
  readonly payer: string
  readonly blockhash: string
  readonly version: 'legacy' | 0
  readonly instructions: readonly TransactionInstruction[]
  readonly tables: readonly AddressLookupTableAccount[]
}
export interface Budget {
  /** Compute units. */
  readonly limit: number
  /** Micro-lamports per unit. */
  readonly price: number
}

/** @param reason for developers: unreadable, version, signed, lookup_table, signer, too_large */
export function refuseTransaction(reason: string): ApiError {
  return new ApiError(invalidTransaction, { reason })
}

function decode(bytes: Buffer): VersionedTransaction {
  try {
    const transaction = VersionedTransaction.deserialize(bytes)
    // One transaction has one form: what comes after it, or is written at greater length, is not of it.
    if (bytes.equals(transaction.serialize())) return transaction
  } catch {
    // Not a transaction, in one of many ways.
  }
  throw refuseTransaction('unreadable')
}

/** @throws ApiError `invalid_transaction`, `chain_unavailable` */
export async function readDraft(chain: SolanaChain, bytes: Buffer): Promise<Draft> {
  const { message, signatures } = decode(bytes)
  const { version } = message
  if (version === 1) throw refuseTransaction('version')
  if (signatures.some(signature => signature.some(byte => byte !== 0))) throw refuseTransaction('signed')
  const wanted = message.addressTableLookups.map(({ accountKey }) => accountKey.toBase58())
  const tables = (await chain.lookupTables(wanted)).filter(table => table !== undefined)
  // An address beyond the end of a table could become any address later.
  if (tables.length < wanted.length) throw refuseTransaction('lookup_table')
  try {
    const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(message, {
      addressLookupTableAccounts: tables,
    })
    return { payer: payerKey.toBase58(), blockhash: recentBlockhash, version, instructions, tables }
  } catch {
    throw refuseTransaction(wanted.length ? 'lookup_table' : 'unreadable')
  }
}

/** Unsigned. @throws ApiError `invalid_transaction`: more than a packet holds */
export function compile({ payer, blockhash, version, instructions, tables }: Draft): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: blockhash,
    instructions: [...instructions],
  })
  try {
    const compiled = version === 0 ? message.compileToV0Message([...tables]) : message.compileToLegacyMessage()
    const transaction = new VersionedTransaction(compiled)
    if (transaction.serialize().length <= MOST_BYTES) return transaction
  } catch {
    // The library's buffers are as large as a packet.
  }
  throw refuseTransaction('too_large')
}

/** Addresses that a transaction must be signed by, without its payer. */
export function signersOf({ instructions }: Draft): ReadonlySet<string> {
  return new Set(
    instructions.flatMap(({ keys }) => keys.filter(key => key.isSigner).map(({ pubkey }) => pubkey.toBase58())),
  )
}

export function writableOf({ instructions }: Draft): readonly string[] {
  return [
    ...new Set(
      instructions.flatMap(({ keys }) => keys.filter(key => key.isWritable).map(({ pubkey }) => pubkey.toBase58())),
    ),
  ]
}

/** Whether any instruction names the address, as its program or as an account. */
export function touches({ instructions }: Draft, address: string): boolean {
  return instructions.some(
    ({ programId, keys }) =>
      programId.toBase58() === address || keys.some(({ pubkey }) => pubkey.toBase58() === address),
  )
}

/** On a durable nonce it may land at any time, also next year. */
export function isDurable({ instructions: [first] }: Draft): boolean {
  return first?.programId.equals(SystemProgram.programId) === true && first.data[0] === ADVANCE_NONCE
}

function budgetOf({ instructions }: Draft) {
  const kinds = instructions
    .filter(({ programId }) => programId.equals(ComputeBudgetProgram.programId))
    .map(({ data }) => data[0])
  return { hasLimit: kinds.includes(SET_LIMIT), hasPrice: kinds.includes(SET_PRICE) }
}

/** Adds what is missing of it, and changes nothing that is there: a second one of a kind would make the transaction fail. */
export function withBudget(draft: Draft, { limit, price }: Budget): Draft {
  const { hasLimit, hasPrice } = budgetOf(draft)
  const added = [
    ...(hasLimit ? [] : [ComputeBudgetProgram.setComputeUnitLimit({ units: limit })]),
    ...(hasPrice || price === 0 ? [] : [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price })]),
  ]
  // The chain looks for an advanced nonce in the first place alone.
  const first = isDurable(draft) ? 1 : 0
  return { ...draft, instructions: draft.instructions.toSpliced(first, 0, ...added) }
}
