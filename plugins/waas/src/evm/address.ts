/** Addresses: the last 20 bytes of keccak-256 of the public key, with EIP-55's checksum. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { invalid } from './errors.js'
import { fromHex } from './hex.js'

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
