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
    const at = this.#advance(32)
    if (at + 32 > this.#data.length) throw new RangeError('no key')
    return bs58.encode(this.#data.subarray(at, at + 32))
  }
  /** Reads a key behind a one-byte flag. */
  optionalKey(): string | undefined {
    return this.u8() === 1 ? this.key() : undefined
  }
  /** Reads a string behind its length as u64, in bincode format. */
  text(): string {
    const length = Number(this.u64())
    const at = this.#advance(length)
    if (at + length > this.#data.length) throw new RangeError('no text')
    return this.#data.toString('utf8', at, at + length)
  }

  #advance(size: number): number {
    const at = this.#at
    this.#at += size
    return at
  }
}

export type Info = Readonly<Record<string, unknown>>

/** Result of a program's parser: Solana's name of the instruction, and its fields. */
export interface ParsedInstruction {
  readonly type: string
  readonly info: Info
}

/** Returns an instruction's account by position. Throws for a missing account: the caller then shows it unparsed. */
export type AccountAt = (index: number) => string
