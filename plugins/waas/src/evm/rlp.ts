/** Recursive length prefix (Ethereum yellow paper, appendix B). Refuses every encoding but the shortest. */
import { concatBytes } from '@noble/hashes/utils.js'
import { invalid } from './address.js'

export type Item = Uint8Array | readonly Item[]

/** Encodes without leading zeros; 0 is the empty string. */
export function integerBytes(value: bigint): Uint8Array {
  const text = value.toString(16)
  return value === 0n
    ? new Uint8Array()
    : Uint8Array.from(text.padStart(text.length + (text.length % 2), '0').match(/../g) ?? [], pair =>
        Number.parseInt(pair, 16),
      )
}
/** @throws KeybayError `evm_invalid` for leading zeros, or more than `most` */
export function readInteger(item: Item | undefined, place: string, most: bigint): bigint {
  if (!(item instanceof Uint8Array) || item[0] === 0 || item.length > 32) throw invalid(place)
  const value = item.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  if (value > most) throw invalid(place)
  return value
}

function prefixed(body: Uint8Array, short: number): Uint8Array {
  if (body.length < 56) return concatBytes(Uint8Array.of(short + body.length), body)
  const length = integerBytes(BigInt(body.length))
  return concatBytes(Uint8Array.of(short + 55 + length.length), length, body)
}

export function encodeRlp(item: Item): Uint8Array {
  if (!(item instanceof Uint8Array)) return prefixed(concatBytes(...item.map(encodeRlp)), 0xc0)
  const [first = 0] = item
  return item.length === 1 && first < 0x80 ? item : prefixed(item, 0x80)
}

const MAX_DEPTH = 8
interface Read {
  readonly item: Item
  readonly end: number
}

function readAt(bytes: Uint8Array, at: number, depth: number): Read {
  const head = bytes[at]
  if (head === undefined || depth > MAX_DEPTH) throw invalid('rlp')
  if (head < 0x80) return { item: bytes.slice(at, at + 1), end: at + 1 }
  const isList = head >= 0xc0
  const size = head - (isList ? 0xc0 : 0x80)
  const extra = Math.max(0, size - 55)
  const length = extra === 0 ? size : Number(readInteger(bytes.subarray(at + 1, at + 1 + extra), 'rlp', 0xffffffn))
  const start = at + 1 + extra
  const end = start + length
  if (end > bytes.length || (extra > 0 && length < 56)) throw invalid('rlp')
  if (!isList) {
    const item = bytes.slice(start, end)
    if (item.length === 1 && (item[0] ?? 0) < 0x80) throw invalid('rlp')
    return { item, end }
  }
  const items: Item[] = []
  let next = start
  while (next < end) {
    const read = readAt(bytes, next, depth + 1)
    items.push(read.item)
    next = read.end
  }
  if (next !== end) throw invalid('rlp')
  return { item: items, end }
}

/** @throws KeybayError `evm_invalid` */
export function decodeRlp(bytes: Uint8Array): Item {
  const { item, end } = readAt(bytes, 0, 0)
  if (end !== bytes.length) throw invalid('rlp')
  return item
}
