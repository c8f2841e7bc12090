/** Bytes as the wire writes them. @turnkey/crypto brings the encodings. */
import { bs58 } from '@turnkey/encoding'

export function hexToBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
}

export function bytesToHex(value: Uint8Array): string {
  return [...value].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
/** @throws Error when it is not base58 */
export function base58(text: string): Uint8Array {
  return bs58.decode(text)
}
