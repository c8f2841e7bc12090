import bs58 from 'bs58'
import type { TransactionError } from './errors.js'
import { LOOKUP_TABLE_HEADER } from './parsed/accounts.js'
import type { TokenBalance } from './tokens.js'
import type { InnerInstructions, ReturnData, Vm } from './vm.js'
import { type Message, readTransaction, type WireTransaction } from './wire.js'

export interface LoadedAddresses {
  readonly writable: readonly string[]
  readonly readonly: readonly string[]
}

/** A transaction that landed, with everything that `getTransaction` returns. Numbers are lamports or units. */
export interface TransactionRecord {
  readonly signature: string
  readonly slot: number
  /** Unix time in seconds. */
  readonly time: number
  /** Wire bytes, base64. */
  readonly wire: string
  readonly error: TransactionError | null
  readonly fee: number
  readonly preBalances: readonly number[]
  readonly postBalances: readonly number[]
  readonly preTokenBalances: readonly TokenBalance[]
  readonly postTokenBalances: readonly TokenBalance[]
  readonly logs: readonly string[]
  readonly inner: readonly InnerInstructions[]
  readonly units: number
  readonly loaded: LoadedAddresses
  readonly returnData: ReturnData | null
}

/** Decodes a record. Records hold text only, because most are never requested. */
export function decodeRecord(record: TransactionRecord): WireTransaction {
  return readTransaction(Buffer.from(record.wire, 'base64'))
}

/** Returns all addresses of a transaction, in the order of its instructions' indexes. */
export function getAccountKeys({ message }: WireTransaction, loaded: LoadedAddresses): string[] {
  return [...message.accountKeys, ...loaded.writable, ...loaded.readonly]
}

/** Slots for which transactions are kept regardless of the limit: while a blockhash is valid, one could run twice. */
const KEPT_SLOTS = 300

/** Landed transactions in order, with an index by address. */
export class Ledger {
  readonly #limit: number
  #bySignature = new Map<string, TransactionRecord>()
  /** Signatures of each address, oldest first. Built on the first query, to keep sending fast. */
  #byAddress = new Map<string, string[]>()
  #notIndexed: TransactionRecord[] = []
  /** Count of all transactions that ever landed, including those dropped by the limit. */
  total = 0
  /** Increases when records are removed, so that a snapshot knows what it can reuse. */
  generation = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#bySignature.size
  }

  add(record: TransactionRecord): void {
    this.#bySignature.set(record.signature, record)
    this.#notIndexed.push(record)
    this.total += 1
  }

  get(signature: string): TransactionRecord | undefined {
    return this.#bySignature.get(signature)
  }

  records(): IterableIterator<TransactionRecord> {
    return this.#bySignature.values()
  }

  /** Returns the signatures of the transactions that name `address`, oldest first. */
  getSignatures(address: string): readonly string[] {
    for (const record of this.#notIndexed.splice(0)) {
      for (const key of getAccountKeys(decodeRecord(record), record.loaded)) {
        const list = this.#byAddress.get(key)
        if (list) list.push(record.signature)
        else this.#byAddress.set(key, [record.signature])
      }
    }
    return this.#byAddress.get(address) ?? []
  }

  /** Removes transactions of an abandoned fork; returns their signatures. */
  dropFrom(slot: number): string[] {
    const dropped = [...this.#bySignature.values()].filter(record => record.slot >= slot)
    this.#remove(dropped)
    this.total -= dropped.length
    return dropped.map(record => record.signature)
  }

  /** Enforces the limit, a tenth at a time; if it removed records, returns the first slot that is still complete. */
  prune(currentSlot: number): number | undefined {
    if (this.size <= this.#limit * 1.1) return undefined
    const gone: TransactionRecord[] = []
    for (const record of this.#bySignature.values()) {
      if (this.size - gone.length <= this.#limit || record.slot > currentSlot - KEPT_SLOTS) break
      gone.push(record)
    }
    this.#remove(gone)
    const last = gone.at(-1)
    return last && last.slot + 1
  }

  #remove(gone: readonly TransactionRecord[]): void {
    if (gone.length === 0) return
    for (const { signature } of gone) this.#bySignature.delete(signature)
    this.#byAddress = new Map()
    this.#notIndexed = [...this.#bySignature.values()]
    this.generation += 1
  }
}

/** Returns the addresses that a message loads from lookup tables; omits missing ones, so that the VM refuses it. */
export function loadAddresses(vm: Vm, { addressTableLookups }: Message): LoadedAddresses {
  const writable: string[] = []
  const readonly: string[] = []
  for (const { accountKey, writableIndexes, readonlyIndexes } of addressTableLookups) {
    const data = vm.account(accountKey)?.data
    if (!data) continue
    const pick = (indexes: readonly number[]) =>
      indexes.flatMap(index => {
        const at = LOOKUP_TABLE_HEADER + 32 * index
        return at + 32 <= data.length ? [bs58.encode(data.subarray(at, at + 32))] : []
      })
    writable.push(...pick(writableIndexes))
    readonly.push(...pick(readonlyIndexes))
  }
  return { writable, readonly }
}
