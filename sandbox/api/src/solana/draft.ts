/** Reads an unsigned transaction, and rebuilds it with another payer or a compute budget. */
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

export const MAX_BYTES = 1232
/** First byte of each compute budget instruction. */
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
  /** In compute units. */
  readonly limit: number
  /** In micro-lamports per unit. */
  readonly price: number
}

/** @param reason for developers: unreadable, version, signed, lookup_table, signer, too_large */
export function refuseTransaction(reason: string): ApiError {
  return new ApiError(invalidTransaction, { reason })
}

function decode(bytes: Buffer): VersionedTransaction {
  try {
    const transaction = VersionedTransaction.deserialize(bytes)
    // A transaction has only one encoding: trailing bytes or longer encodings are not valid.
    if (bytes.equals(transaction.serialize())) return transaction
  } catch {
    // Parsing failed, so this is not a transaction.
  }
  throw refuseTransaction('unreadable')
}

/** @throws ApiError `invalid_transaction`, `chain_unavailable` */
export async function readDraft(chain: SolanaChain, bytes: Buffer): Promise<Draft> {
  const { message, signatures } = decode(bytes)
  const { version } = message
  if (version === 1) throw refuseTransaction('version')
  if (signatures.some(signature => signature.some(byte => byte !== 0))) throw refuseTransaction('signed')
  const tableAddresses = message.addressTableLookups.map(({ accountKey }) => accountKey.toBase58())
  const tables = (await chain.lookupTables(tableAddresses)).filter(table => table !== undefined)
  // An address beyond the end of a table could later become any address.
  if (tables.length < tableAddresses.length) throw refuseTransaction('lookup_table')
  try {
    const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(message, {
      addressLookupTableAccounts: tables,
    })
    return { payer: payerKey.toBase58(), blockhash: recentBlockhash, version, instructions, tables }
  } catch {
    throw refuseTransaction(tableAddresses.length ? 'lookup_table' : 'unreadable')
  }
}

/** Builds the unsigned transaction. @throws ApiError `invalid_transaction` if it exceeds a packet */
export function compile({ payer, blockhash, version, instructions, tables }: Draft): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: blockhash,
    instructions: [...instructions],
  })
  try {
    const compiled = version === 0 ? message.compileToV0Message([...tables]) : message.compileToLegacyMessage()
    const transaction = new VersionedTransaction(compiled)
    if (transaction.serialize().length <= MAX_BYTES) return transaction
  } catch {
    // The library's buffers are only as large as a packet.
  }
  throw refuseTransaction('too_large')
}

/** Returns the addresses that must sign, without the payer. */
export function getSigners({ instructions }: Draft): ReadonlySet<string> {
  return new Set(
    instructions.flatMap(({ keys }) => keys.filter(key => key.isSigner).map(({ pubkey }) => pubkey.toBase58())),
  )
}

export function getWritable({ instructions }: Draft): readonly string[] {
  return [
    ...new Set(
      instructions.flatMap(({ keys }) => keys.filter(key => key.isWritable).map(({ pubkey }) => pubkey.toBase58())),
    ),
  ]
}

/** Returns whether any instruction names the address, as its program or as an account. */
export function touches({ instructions }: Draft, address: string): boolean {
  return instructions.some(
    ({ programId, keys }) =>
      programId.toBase58() === address || keys.some(({ pubkey }) => pubkey.toBase58() === address),
  )
}

/** Returns whether the transaction uses a durable nonce, with which it may land at any time, even next year. */
export function isDurable({ instructions: [first] }: Draft): boolean {
  return first?.programId.equals(SystemProgram.programId) === true && first.data[0] === ADVANCE_NONCE
}

function getBudget({ instructions }: Draft) {
  const kinds = instructions
    .filter(({ programId }) => programId.equals(ComputeBudgetProgram.programId))
    .map(({ data }) => data[0])
  return { hasLimit: kinds.includes(SET_LIMIT), hasPrice: kinds.includes(SET_PRICE) }
}

/** Adds the missing budget instructions and keeps existing ones: two of a kind would make the transaction fail. */
export function withBudget(draft: Draft, { limit, price }: Budget): Draft {
  const { hasLimit, hasPrice } = getBudget(draft)
  const added = [
    ...(hasLimit ? [] : [ComputeBudgetProgram.setComputeUnitLimit({ units: limit })]),
    ...(hasPrice || price === 0 ? [] : [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price })]),
  ]
  // The chain expects the nonce advance as the first instruction.
  const first = isDurable(draft) ? 1 : 0
  return { ...draft, instructions: draft.instructions.toSpliced(first, 0, ...added) }
}
