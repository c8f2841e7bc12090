/** Strict byte reader: nothing past the end, no number in a longer form than it needs. */
import { Refusal } from './refusal.js'

export interface Reader {
  readonly left: number
  byte(): number
  bytes(length: number): Uint8Array
  /** Reads a `compact-u16` of Solana's wire format in its shortest form. */
  compact(): number
  u16(): number
  u32(): number
  u64(): bigint
}

/** @throws Refusal `malformed`, from every method */
export function getReader(data: Uint8Array): Reader {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let at = 0
  const take = (length: number): number => {
    if (at + length > data.length) throw new Refusal('malformed')
    at += length
    return at - length
  }
  return {
    get left() {
      return data.length - at
    },
    byte: () => view.getUint8(take(1)),
    bytes: length => {
      const start = take(length)
      return data.subarray(start, start + length)
    },
    compact() {
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
    u16: () => view.getUint16(take(2), true),
    u32: () => view.getUint32(take(4), true),
    u64: () => view.getBigUint64(take(8), true),
  }
}
