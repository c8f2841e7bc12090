import bs58 from 'bs58'
import { decodeRecord, getAccountKeys, type LoadedAddresses, type TransactionRecord } from './ledger.js'
import { instructionJson } from './parsed/instructions.js'
import { unsupportedTransactionVersion } from './rpc-error.js'
import type { InnerInstructions } from './vm.js'
import { isWritableIndex, type Message, type WireTransaction } from './wire.js'

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base64' | 'base58' | 'binary'

export interface TransactionFormat {
  readonly encoding: TransactionEncoding
  /** Absent: the client supports only legacy transactions. */
  readonly maxVersion: number | undefined
}

/** Returns a transaction with meta, as `getTransaction` does. @throws RpcError -32015 for a newer version */
export function transactionJson(record: TransactionRecord, format: TransactionFormat): Record<string, unknown> {
  const transaction = decodeRecord(record)
  const { version } = transaction.message
  if (version !== 'legacy' && format.maxVersion === undefined) throw unsupportedTransactionVersion(version)
  return {
    transaction: encoded(transaction, record, format.encoding),
    meta: metaJson(record, transaction, format.encoding),
    ...(format.maxVersion !== undefined && { version }),
  }
}

/** Returns only the accounts, for `transactionDetails: 'accounts'`. */
export function transactionAccountsJson(record: TransactionRecord, maxVersion: number | undefined): unknown {
  const transaction = decodeRecord(record)
  const { version } = transaction.message
  if (version !== 'legacy' && maxVersion === undefined) throw unsupportedTransactionVersion(version)
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = baseMeta(record)
  return {
    transaction: { signatures: transaction.signatures, accountKeys: parsedKeys(transaction.message, record.loaded) },
    meta: { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    ...(maxVersion !== undefined && { version }),
  }
}

function encoded(transaction: WireTransaction, record: TransactionRecord, encoding: TransactionEncoding): unknown {
  if (encoding === 'base64') return [record.wire, 'base64']
  if (encoding === 'base58') return [bs58.encode(transaction.raw), 'base58']
  if (encoding === 'binary') return bs58.encode(transaction.raw)
  const message = encoding === 'json' ? compiled(transaction.message) : parsed(transaction, record.loaded)
  return { signatures: transaction.signatures, message }
}

function compiled({
  version,
  accountKeys,
  header,
  recentBlockhash,
  instructions,
  addressTableLookups,
}: Message): unknown {
  return {
    accountKeys,
    header,
    recentBlockhash,
    instructions: instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex,
      accounts,
      data: bs58.encode(data),
      stackHeight: 1,
    })),
    ...(version !== 'legacy' && { addressTableLookups }),
  }
}

function parsed(transaction: WireTransaction, loaded: LoadedAddresses): unknown {
  const { message } = transaction
  const keys = getAccountKeys(transaction, loaded)
  return {
    accountKeys: parsedKeys(message, loaded),
    recentBlockhash: message.recentBlockhash,
    instructions: message.instructions.map(instruction => instructionJson({ ...instruction, stackHeight: 1 }, keys)),
    ...(message.version !== 'legacy' && { addressTableLookups: message.addressTableLookups }),
  }
}

function parsedKeys(message: Message, loaded: LoadedAddresses): unknown[] {
  const fromTable = (writable: boolean) => (pubkey: string) => ({
    pubkey,
    signer: false,
    source: 'lookupTable',
    writable,
  })
  return [
    ...message.accountKeys.map((pubkey, index) => ({
      pubkey,
      signer: index < message.header.numRequiredSignatures,
      source: 'transaction',
      writable: isWritableIndex(message, index),
    })),
    ...loaded.writable.map(fromTable(true)),
    ...loaded.readonly.map(fromTable(false)),
  ]
}

function baseMeta(record: TransactionRecord) {
  return {
    err: record.error,
    status: record.error === null ? { Ok: null } : { Err: record.error },
    fee: record.fee,
    preBalances: record.preBalances,
    postBalances: record.postBalances,
    preTokenBalances: record.preTokenBalances,
    postTokenBalances: record.postTokenBalances,
  }
}

function metaJson(record: TransactionRecord, transaction: WireTransaction, encoding: TransactionEncoding): unknown {
  const asParsed = encoding === 'jsonParsed'
  const keys = getAccountKeys(transaction, record.loaded)
  return {
    ...baseMeta(record),
    innerInstructions: asParsed ? parsedInner(record.inner, keys) : record.inner,
    logMessages: record.logs,
    rewards: [],
    computeUnitsConsumed: record.units,
    ...(!asParsed && { loadedAddresses: record.loaded }),
    ...(record.returnData && { returnData: record.returnData }),
  }
}

/** Returns inner instructions in `jsonParsed` form. `keys`: all keys of the transaction. */
export function parsedInner(inner: readonly InnerInstructions[], keys: readonly string[]): unknown[] {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ data, ...rest }) => instructionJson({ ...rest, data: bs58.decode(data) }, keys)),
  }))
}

/** Returns a transaction's memo as in `getSignaturesForAddress`: `[length] text`, several joined by `; `. */
export function getMemo(record: TransactionRecord): string | null {
  if (!record.logs.some(log => log.startsWith('Program Memo'))) return null
  const { message } = decodeRecord(record)
  const memos = message.instructions
    .filter(({ programIdIndex }) => message.accountKeys[programIdIndex]?.startsWith('Memo'))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`)
  return memos.length ? memos.join('; ') : null
}
