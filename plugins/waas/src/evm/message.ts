/** EIP-191, version 0x45, which `personal_sign` signs. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** Returns keccak-256 of prefix, length and message: 32 bytes that equal no hash of a transaction or of typed data. */
export function personalDigest(message: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message))
}
