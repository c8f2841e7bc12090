/** EIP-191, version 0x45: what `personal_sign` signs. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** Keccak-256 of the prefix, the length and the message: 32 bytes, which no transaction and no typed data has. */
export function personalDigest(message: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message))
}
