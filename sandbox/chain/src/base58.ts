import bs58 from 'bs58'

/** Base58 text of bytes (addresses, signatures, blockhashes). */
export function toBase58(bytes: Uint8Array): string {
  return bs58.encode(bytes)
}

/** @throws Error when `text` holds a character outside the base58 alphabet. */
export function fromBase58(text: string): Uint8Array {
  return bs58.decode(text)
}

/** Like {@link fromBase58}, but undefined instead of an error. */
export function tryBase58(text: string): Uint8Array | undefined {
  return bs58.decodeUnsafe(text)
}
