/** As much of a serialised Solana transaction as it takes to know who signed it. https://solana.com/docs/core/transactions */
import { isSignature, KEY_BYTES, SIGNATURE_BYTES } from './exchange.js'

/** Solana's compact-u16, and the offset behind it. */
function readLength(bytes: Uint8Array, offset: number): readonly [length: number, next: number] {
  let length = 0
  for (let index = 0; index < 3; index++) {
    const byte = bytes[offset + index] ?? 0
    length |= (byte & 0x7f) << (7 * index)
    if (byte < 0x80) return [length, offset + index + 1]
  }
  return [0, offset]
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** Whether this account is among the signers, and its signature is good. */
export function isSignedBy(transaction: Uint8Array, publicKey: Uint8Array): boolean {
  const [signatures, signaturesAt] = readLength(transaction, 0)
  const message = transaction.subarray(signaturesAt + signatures * SIGNATURE_BYTES)
  // A versioned message has its version in front of its header of three bytes.
  const header = (message[0] ?? 0) >= 0x80 ? 1 : 0
  const [keys, keysAt] = readLength(message, header + 3)
  for (let index = 0; index < Math.min(signatures, keys); index++) {
    const key = message.subarray(keysAt + index * KEY_BYTES, keysAt + (index + 1) * KEY_BYTES)
    if (!isEqual(key, publicKey)) continue
    const at = signaturesAt + index * SIGNATURE_BYTES
    return isSignature(message, transaction.subarray(at, at + SIGNATURE_BYTES), publicKey)
  }
  return false
}
