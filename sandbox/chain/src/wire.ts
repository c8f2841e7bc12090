import bs58 from 'bs58'

/** Largest transaction on the wire, in bytes: one IPv6 packet. */
export const PACKET_DATA_SIZE = 1232

export interface CompiledInstruction {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

export interface AddressTableLookup {
  readonly accountKey: string
  readonly writableIndexes: readonly number[]
  readonly readonlyIndexes: readonly number[]
}

export interface Message {
  readonly version: 'legacy' | 0
  readonly header: {
    readonly numRequiredSignatures: number
    readonly numReadonlySignedAccounts: number
    readonly numReadonlyUnsignedAccounts: number
  }
  readonly accountKeys: readonly string[]
  readonly recentBlockhash: string
  /** Offset of the blockhash's 32 bytes from the start of the message. */
  readonly blockhashOffset: number
  readonly instructions: readonly CompiledInstruction[]
  readonly addressTableLookups: readonly AddressTableLookup[]
}

export interface WireTransaction {
  readonly signatures: readonly string[]
  readonly message: Message
  /** The bytes that were read, without any that follow. */
  readonly raw: Buffer
  readonly messageOffset: number
}

/** Reads bytes in Solana's transaction format, with a bounds check on every read. */
class Reader {
  offset = 0
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  u8(): number {
    const byte = this.#bytes[this.offset]
    if (byte === undefined) throw new Error('io error: unexpected end of file')
    this.offset += 1
    return byte
  }

  /** Reads a compact-u16: 7 bits per byte, low first, at most three bytes, shortest form only. */
  length(): number {
    let value = 0
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.u8()
      if (shift > 0 && byte === 0) throw new Error('invalid value: alias encoding, expected a strict compact-u16')
      value |= (byte & 0x7f) << shift
      if ((byte & 0x80) === 0) {
        if (value > 0xffff) break
        return value
      }
    }
    throw new Error('invalid value: overflow, expected a compact-u16')
  }

  take(size: number): Uint8Array {
    const end = this.offset + size
    if (end > this.#bytes.length) throw new Error('io error: unexpected end of file')
    const part = this.#bytes.subarray(this.offset, end)
    this.offset = end
    return part
  }

  list<T>(item: () => T): T[] {
    const count = this.length()
    if (count > this.#bytes.length) throw new Error('io error: unexpected end of file')
    return Array.from({ length: count }, item)
  }

  bytes(): Uint8Array {
    return this.take(this.length())
  }
}

/** Reads a legacy or version 0 transaction, without bytes after its end. @throws Error worded as in bincode */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  const reader = new Reader(bytes)
  const signatures = reader.list(() => bs58.encode(reader.take(64)))
  const messageOffset = reader.offset
  const message = message_(reader, messageOffset)
  return { signatures, message, raw: Buffer.from(bytes.subarray(0, reader.offset)), messageOffset }
}

/** Reads a message alone, as in `getFeeForMessage`. @throws Error like {@link readTransaction} */
export function readMessage(bytes: Uint8Array): Message {
  return message_(new Reader(bytes), 0)
}

function message_(reader: Reader, start: number): Message {
  const first = reader.u8()
  const versioned = (first & 0x80) !== 0
  if (versioned && first !== 0x80) {
    throw new Error(`invalid value: integer \`${first & 0x7f}\`, expected a valid transaction message version`)
  }
  const header = {
    numRequiredSignatures: versioned ? reader.u8() : first,
    numReadonlySignedAccounts: reader.u8(),
    numReadonlyUnsignedAccounts: reader.u8(),
  }
  const key = () => bs58.encode(reader.take(32))
  const accountKeys = reader.list(key)
  const blockhashOffset = reader.offset - start
  const recentBlockhash = key()
  const instructions = reader.list(() => ({
    programIdIndex: reader.u8(),
    accounts: [...reader.bytes()],
    data: reader.bytes(),
  }))
  const addressTableLookups = versioned
    ? reader.list(() => ({
        accountKey: key(),
        writableIndexes: [...reader.bytes()],
        readonlyIndexes: [...reader.bytes()],
      }))
    : []
  return {
    version: versioned ? 0 : 'legacy',
    header,
    accountKeys,
    recentBlockhash,
    blockhashOffset,
    instructions,
    addressTableLookups,
  }
}

/** Applies the rules that a validator checks before it reads any account; false means `SanitizeFailure`. */
export function isSane({ signatures, message }: WireTransaction): boolean {
  const { header, accountKeys, instructions, addressTableLookups, version } = message
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header
  if (signatures.length !== numRequiredSignatures || numRequiredSignatures === 0) return false
  if (numReadonlySignedAccounts >= numRequiredSignatures) return false
  if (numRequiredSignatures + numReadonlyUnsignedAccounts > accountKeys.length) return false
  const loaded = addressTableLookups.reduce((sum, l) => sum + l.writableIndexes.length + l.readonlyIndexes.length, 0)
  if (addressTableLookups.some(l => l.writableIndexes.length + l.readonlyIndexes.length === 0)) return false
  const total = accountKeys.length + loaded
  if (total > 256) return false
  return instructions.every(
    ({ programIdIndex, accounts }) =>
      programIdIndex > 0 &&
      programIdIndex < (version === 0 ? accountKeys.length : total) &&
      accounts.every(index => index < total),
  )
}

/** Returns true if the header alone makes the static key at `index` writable. */
export function isWritableIndex({ header, accountKeys }: Message, index: number): boolean {
  if (index < header.numRequiredSignatures)
    return index < header.numRequiredSignatures - header.numReadonlySignedAccounts
  return index < accountKeys.length - header.numReadonlyUnsignedAccounts
}
