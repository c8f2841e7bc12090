/** Numbers in the layout of Solana's programs: little-endian. */

function view(size: number): readonly [Uint8Array, DataView] {
  const bytes = new Uint8Array(size)
  return [bytes, new DataView(bytes.buffer)]
}

export function u32(value: number): Uint8Array {
  const [bytes, data] = view(4)
  data.setUint32(0, value, true)
  return bytes
}

export function u64(value: bigint): Uint8Array {
  const [bytes, data] = view(8)
  data.setBigUint64(0, value, true)
  return bytes
}

export function concatBytes(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap(part => [...part]))
}
/** Reads data written by a program; returns undefined beyond the end. */
export function reader(
  bytes: Uint8Array,
): Readonly<Record<'u8' | 'u16' | 'u32', (at: number) => number | undefined>> & {
  readonly u64: (at: number) => bigint | undefined
  readonly f64: (at: number) => number | undefined
  readonly slice: (at: number, length: number) => Uint8Array | undefined
} {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const within = <T>(at: number, length: number, read: () => T): T | undefined =>
    at + length <= bytes.length ? read() : undefined
  return {
    u8: at => within(at, 1, () => data.getUint8(at)),
    u16: at => within(at, 2, () => data.getUint16(at, true)),
    u32: at => within(at, 4, () => data.getUint32(at, true)),
    u64: at => within(at, 8, () => data.getBigUint64(at, true)),
    f64: at => within(at, 8, () => data.getFloat64(at, true)),
    slice: (at, length) => within(at, length, () => bytes.subarray(at, at + length)),
  }
}
