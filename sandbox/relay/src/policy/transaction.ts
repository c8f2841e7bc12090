/** Parses a transaction's message strictly, legacy or version 0; later versions are refused. Keys are hex. */
import { Refusal } from './refusal.js'

/** Message of a transaction. Keys and programs are hex, and the indices of accounts include those from lookup tables. */
export type TransactionMessage = ReturnType<typeof readTransaction>

const KEY_BYTES = 32

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}

function times<T>(count: number, read: () => T): T[] {
  return Array.from({ length: count }, read)
}

/** @throws Refusal `version` or `malformed` */
export function readTransaction(bytes: Uint8Array) {
  const input = getReader(bytes)
  const first = input.byte()
  const isVersioned = (first & 0x80) !== 0
  if (isVersioned && first !== 0x80) throw new Refusal('version')
  const signers = isVersioned ? input.byte() : first
  const readonlySigners = input.byte()
  const readonlyOthers = input.byte()
  const keys = times(input.compact(), () => hex(input.bytes(KEY_BYTES)))
  if (signers === 0 || readonlySigners >= signers || signers + readonlyOthers > keys.length)
    throw new Refusal('malformed')
  if (new Set(keys).size !== keys.length) throw new Refusal('malformed')
  // The blockhash.
  input.bytes(KEY_BYTES)
  const instructions = times(input.compact(), () => {
    // A program is never the fee payer, and never from a lookup table.
    const program = input.byte()
    const key = keys[program]
    if (program === 0 || key === undefined) throw new Refusal('malformed')
    const accounts = [...input.bytes(input.compact())]
    return { program: key, accounts, data: input.bytes(input.compact()) }
  })
  const lookups = isVersioned
    ? times(input.compact(), () => ({
        table: hex(input.bytes(KEY_BYTES)),
        writable: [...input.bytes(input.compact())],
        readonly: [...input.bytes(input.compact())],
      }))
    : []
  if (input.left !== 0) throw new Refusal('malformed')
  const looked = lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0)
  if (keys.length + looked > 256) throw new Refusal('malformed')
  if (instructions.some(({ accounts }) => accounts.some(index => index >= keys.length + looked)))
    throw new Refusal('malformed')
  // The first `signers` keys sign, and the first key pays the fee.
  return { signers, keys, instructions, lookups }
}

/** Lookup tables: table address → addresses in the table, all hex. */
export type Tables = ReadonlyMap<string, readonly string[]>

/** Returns all keys in the order of the instructions' indices. @throws Refusal `lookup-table` */
export function allKeys({ keys, lookups }: TransactionMessage, tables: Tables): readonly string[] {
  const look = (table: string, indices: readonly number[]): string[] =>
    indices.map(index => {
      const address = tables.get(table)?.[index]
      if (address === undefined) throw new Refusal('lookup-table')
      return address
    })
  return [
    ...keys,
    ...lookups.flatMap(({ table, writable }) => look(table, writable)),
    ...lookups.flatMap(({ table, readonly }) => look(table, readonly)),
  ]
}

/** @throws Refusal `malformed`, from every method */
export function getReader(data: Uint8Array) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let at = 0
  const take = (length: number): number => {
    if (at + length > data.length) throw new Refusal('malformed')
    at += length
    return at - length
  }
  return {
    get left(): number {
      return data.length - at
    },
    byte: (): number => view.getUint8(take(1)),
    bytes: (length: number): Uint8Array => {
      const start = take(length)
      return data.subarray(start, start + length)
    },
    /** Reads a `compact-u16` of Solana's wire format in its shortest form. */
    compact(): number {
      let value = 0
      for (let index = 0; index < 3; index++) {
        const part = view.getUint8(take(1))
        value |= (part & 0x7f) << (7 * index)
        if (part & 0x80) continue
        // A last byte of zero means that the number has a shorter form.
        if ((index > 0 && part === 0) || value > 0xffff) throw new Refusal('malformed')
        return value
      }
      throw new Refusal('malformed')
    },
    u16: (): number => view.getUint16(take(2), true),
    u32: (): number => view.getUint32(take(4), true),
    u64: (): bigint => view.getBigUint64(take(8), true),
  }
}
