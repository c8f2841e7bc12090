/** Reads Solana transactions, legacy and version 0. Strict, because users agree to what is read here. */
import bs58 from 'bs58'

export interface Instruction {
  readonly programId: string
  /** Addresses; of a lookup table's account it is `table#index`, which this frame cannot resolve. */
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}
export interface TransactionMessage {
  readonly version: 'legacy' | 0
  /** The first ones sign; the very first pays. */
  readonly signers: readonly string[]
  readonly instructions: readonly Instruction[]
  readonly usesLookupTables: boolean
}
export interface Transaction {
  readonly signatures: readonly Uint8Array[]
  /** The signed message. */
  readonly message: Uint8Array
  readonly parsed: TransactionMessage
}

const KEY = 32
const SIGNATURE = 64

interface Reader {
  readonly left: number
  byte(): number
  bytes(length: number): Uint8Array
  /** Solana's compact-u16, in its shortest form only. */
  length(): number
}

function reader(bytes: Uint8Array): Reader {
  let at = 0
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError('too short')
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = (): number => take(1)[0] ?? 0
  return {
    get left() {
      return bytes.length - at
    },
    byte,
    bytes: take,
    length() {
      let value = 0
      for (let shift = 0; shift < 21; shift += 7) {
        const part = byte()
        if (shift > 0 && part === 0) throw new RangeError('not the shortest form')
        value |= (part & 0x7f) << shift
        if (part < 0x80) {
          if (value > 0xffff) throw new RangeError('too long')
          return value
        }
      }
      throw new RangeError('too long')
    },
  }
}

function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

interface RawInstruction {
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

function readInstruction(from: Reader): RawInstruction {
  return {
    program: from.byte(),
    accounts: [...from.bytes(from.length())],
    data: new Uint8Array(from.bytes(from.length())),
  }
}
/** Addresses that a lookup table would give, by their place after the message's own. */
function readLookups(from: Reader): readonly string[] {
  const tables = times(from.length(), () => {
    const table = bs58.encode(from.bytes(KEY))
    const name = (index: number) => `${table}#${index}`
    return { writable: [...from.bytes(from.length())].map(name), readonly: [...from.bytes(from.length())].map(name) }
  })
  return [...tables.flatMap(({ writable }) => writable), ...tables.flatMap(table => table.readonly)]
}

/** @throws RangeError when these bytes are not a message of a known version, whole */
export function parseMessage(bytes: Uint8Array): TransactionMessage {
  const versioned = ((bytes[0] ?? 0) & 0x80) !== 0
  if (versioned && bytes[0] !== 0x80) throw new RangeError('an unknown version')
  const from = reader(versioned ? bytes.subarray(1) : bytes)
  const [signed, readonlySigned, readonlyUnsigned] = [from.byte(), from.byte(), from.byte()]
  const staticKeys = times(from.length(), () => bs58.encode(from.bytes(KEY)))
  if (signed === 0 || readonlySigned >= signed || signed + readonlyUnsigned > staticKeys.length)
    throw new RangeError('an impossible header')
  from.bytes(KEY)
  const raw = times(from.length(), () => readInstruction(from))
  const looked = versioned ? readLookups(from) : []
  if (from.left > 0) throw new RangeError('too long')
  const keys = [...staticKeys, ...looked]
  const getKey = (index: number): string => {
    const key = keys[index]
    if (key === undefined) throw new RangeError('an account that is not there')
    return key
  }
  const instructions = raw.map(({ program, accounts, data }) => {
    // The runtime takes a program from the message's own keys only, and never the payer.
    if (program === 0 || program >= staticKeys.length) throw new RangeError('an impossible program')
    return { programId: getKey(program), accounts: accounts.map(getKey), data }
  })
  return {
    version: versioned ? 0 : 'legacy',
    signers: staticKeys.slice(0, signed),
    instructions,
    usesLookupTables: looked.length > 0,
  }
}

/** @throws RangeError when these bytes are not a transaction, whole */
export function parseTransaction(bytes: Uint8Array): Transaction {
  const from = reader(bytes)
  const signatures = times(from.length(), () => new Uint8Array(from.bytes(SIGNATURE)))
  const message = new Uint8Array(from.bytes(from.left))
  const parsed = parseMessage(message)
  if (signatures.length !== parsed.signers.length) throw new RangeError('another number of signatures')
  return { signatures, message, parsed }
}

/** Puts this signer's signature into the transaction. @throws RangeError when the address is not among its signers */
export function withSignature(
  { signatures, message, parsed }: Transaction,
  address: string,
  signature: Uint8Array,
): Uint8Array {
  const place = parsed.signers.indexOf(address)
  if (place < 0 || signature.length !== SIGNATURE) throw new RangeError('not a signer')
  const count = compactLength(signatures.length)
  const whole = new Uint8Array(count.length + signatures.length * SIGNATURE + message.length)
  whole.set(count)
  for (const [index, existing] of signatures.entries())
    whole.set(index === place ? signature : existing, count.length + index * SIGNATURE)
  whole.set(message, count.length + signatures.length * SIGNATURE)
  return whole
}

function compactLength(value: number): Uint8Array {
  return value < 0x80 ? Uint8Array.of(value) : Uint8Array.of((value & 0x7f) | 0x80, value >> 7)
}
