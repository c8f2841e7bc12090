const MAGIC = 0xfd2fb528
/** RFC 8878 §3.1.1.1.1: single segment, four bytes of content size. */
const DESCRIPTOR = 0b1010_0000
const MAX_BLOCK = 128 * 1024

/**
 * Returns a zstd frame of raw blocks (RFC 8878 §3.1.1.2.2), which every decoder reads. Does not compress, because
 * Node 20 has no zstd and a sandbox does not need it.
 */
export function zstdFrame(data: Uint8Array): Buffer {
  const header = Buffer.alloc(9)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt8(DESCRIPTOR, 4)
  header.writeUInt32LE(data.length, 5)
  const parts: Uint8Array[] = [header]
  let offset = 0
  do {
    const block = data.subarray(offset, offset + MAX_BLOCK)
    offset += block.length
    const last = offset >= data.length ? 1 : 0
    const blockHeader = Buffer.alloc(3)
    blockHeader.writeUIntLE((block.length << 3) | last, 0, 3)
    parts.push(blockHeader, block)
  } while (offset < data.length)
  return Buffer.concat(parts)
}
