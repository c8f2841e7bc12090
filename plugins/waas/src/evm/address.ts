/** Ethereum's addresses (EIP-55), personal messages, hexadecimal text, and the error of all readers. */
import * as spec from '@keybay/kernel/spec'
import { type ErrorSpec, KeybayError } from '@keybay/kernel/spec'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** @param bytes 20 bytes */
export function checksummed(bytes: Uint8Array): string {
  const plain = bytesToHex(bytes)
  const hash = bytesToHex(keccak_256(utf8ToBytes(plain)))
  return `0x${plain.replace(/[a-f]/g, (letter, place) => (Number.parseInt(hash.charAt(place), 16) > 7 ? letter.toUpperCase() : letter))}`
}

/** Returns 20 bytes. Mixed-case letters must match EIP-55. @throws KeybayError `evm_invalid` */
export function readAddress(text: string, place: string): Uint8Array {
  const bytes = fromHex(text, place)
  const isMixed = /[a-f]/.test(text) && /[A-F]/.test(text)
  if (bytes.length !== 20 || (isMixed && checksummed(bytes) !== text)) throw invalid(`${place}: address`)
  return bytes
}

/** @example evmAddress(publicKey33) // 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed */
export function evmAddress(publicKey: Uint8Array): string {
  return checksummed(keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).subarray(12))
}

/** The request is not what it claims to be. The detail names the place, never the content. */
export const evmInvalid: ErrorSpec<'evm_invalid'> = {
  code: 'evm_invalid',
  message: 'Not something that an Ethereum account signs',
}

export function invalid(detail: string): KeybayError {
  return new KeybayError(evmInvalid, { detail })
}

export function toHex(bytes: Uint8Array): string {
  return `0x${spec.toHex(bytes)}`
}

/** @param place named in the error. @throws KeybayError `evm_invalid` */
export function fromHex(text: string, place: string): Uint8Array {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(text)) throw invalid(`${place}: hexadecimal`)
  return spec.fromHex(text.slice(2))
}

/** Returns keccak-256 of prefix, length and message: 32 bytes that equal no hash of a transaction or of typed data. */
export function personalDigest(message: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message))
}
