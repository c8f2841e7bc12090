/** Bytes as the wire writes them. @turnkey/crypto brings the encodings. */
import { bs58 } from '@turnkey/encoding'

export const hexToBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
export const bytesToHex = (value: Uint8Array): string =>
  [...value].map(byte => byte.toString(16).padStart(2, '0')).join('')
/** @throws Error when it is not base58 */
export const base58 = (text: string): Uint8Array => bs58.decode(text)
