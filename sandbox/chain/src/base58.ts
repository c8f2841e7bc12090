import bs58 from 'bs58'

/** Base58 text of bytes (addresses, signatures, blockhashes). */
export const toBase58 = (bytes: Uint8Array): string => bs58.encode(bytes)

/** @throws Error when `text` holds a character outside the base58 alphabet. */
export const fromBase58 = (text: string): Uint8Array => bs58.decode(text)

/** Like {@link fromBase58}, but undefined instead of an error. */
export const tryBase58 = (text: string): Uint8Array | undefined => bs58.decodeUnsafe(text)
