import bs58 from 'bs58'

/** Reads an instruction's data by field. Reading past the end throws RangeError: the caller then shows it unparsed. */
export class DataReader {
  readonly #data: Buffer
  #at = 0
  constructor(data: Uint8Array) {
    this.#data = Buffer.from(data)
  }

  get done(): boolean {
    return this.#at >= this.#data.length
  }
  u8(): number {
    return this.#data.readUInt8(this.#advance(1))
  }
  u16(): number {
    return this.#data.readUInt16LE(this.#advance(2))
  }
  u32(): number {
    return this.#data.readUInt32LE(this.#advance(4))
  }
  u64(): bigint {
    return this.#data.readBigUInt64LE(this.#advance(8))
  }
  key(): string {
    return bs58.encode(this.#take(32))
  }
  /** Reads a string behind its length as u64, in bincode format. */
  text(): string {
    return this.#take(Number(this.u64())).toString('utf8')
  }

  #take(length: number): Buffer {
    const at = this.#advance(length)
    if (at + length > this.#data.length) throw new RangeError('too short')
    return this.#data.subarray(at, at + length)
  }

  #advance(size: number): number {
    const at = this.#at
    this.#at += size
    return at
  }
}

/** Result of a program's parser: Solana's name of the instruction, and its fields. */
export interface ParsedInstruction {
  readonly type: string
  readonly info: Readonly<Record<string, unknown>>
}
export interface InstructionInput {
  readonly data: DataReader
  readonly addresses: readonly string[]
}
export type Layout = (input: InstructionInput) => ParsedInstruction
type Field = (data: DataReader) => unknown

export interface LayoutOptions {
  /** Fields in the order of the data; an undefined field is left out. */
  readonly fields?: Readonly<Record<string, Field>>
  /** Name of the signer after the accounts: one owner, or a multisignature account followed by its signers. */
  readonly signer?: string
}

/** Describes an instruction by its accounts, in order, and the fields of its data. */
export function layout(type: string, accounts: readonly string[], options: LayoutOptions = {}): Layout {
  return input => ({ type, info: readInfo(input, accounts, options) })
}

export function readInfo(
  { data, addresses }: InstructionInput,
  accounts: readonly string[],
  { fields = {}, signer }: LayoutOptions = {},
): ParsedInstruction['info'] {
  const needed = accounts.length + (signer === undefined ? 0 : 1)
  if (addresses.length < needed) throw new RangeError('too few accounts')
  return {
    ...Object.fromEntries(accounts.map((name, index) => [name, addresses[index]])),
    ...Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(data)])),
    ...(signer !== undefined && readSigners(signer, addresses.slice(accounts.length))),
  }
}

function readSigners(name: string, [first, ...signers]: readonly string[]): ParsedInstruction['info'] {
  if (signers.length === 0) return { [name]: first }
  return { [`multisig${name[0]?.toUpperCase()}${name.slice(1)}`]: first, signers }
}
