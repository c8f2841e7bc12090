/** Cursor over bytes in Solana's encoding. Every read past the end throws a RangeError. */
export type Reader = ReturnType<typeof createReader>

export function createReader(bytes: Uint8Array) {
  let offset = 0
  const take = (length: number) => {
    if (offset + length > bytes.length) throw new RangeError('The bytes end too early')
    offset += length
    return bytes.subarray(offset - length, offset)
  }
  const byte = () => take(1)[0] ?? 0
  return {
    get offset() {
      return offset
    },
    byte,
    take,
    /** Reads a "compact-u16": 7 bits per byte, at most three bytes. */
    length: (): number => {
      let value = 0
      for (let shift = 0; shift < 21; shift += 7) {
        const part = byte()
        value |= (part & 0x7f) << shift
        if (part < 0x80) return value
      }
      throw new RangeError('A length is too long')
    },
    rest: () => take(bytes.length - offset),
  }
}
