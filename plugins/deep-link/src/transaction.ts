/** Reads the signers of a serialised Solana transaction. https://solana.com/docs/core/transactions */
import { equalBytes } from '@keybay/kernel/spec'
import { isSignature, KEY_BYTES, SIGNATURE_BYTES } from './exchange.js'

/** Reads Solana's compact-u16, and returns the offset behind it. */
function readLength(bytes: Uint8Array, offset: number): { readonly length: number; readonly next: number } {
  let length = 0
  for (let index = 0; index < 3; index++) {
    const byte = bytes[offset + index] ?? 0
    length |= (byte & 0x7f) << (7 * index)
    if (byte < 0x80) return { length, next: offset + index + 1 }
  }
  return { length: 0, next: offset }
}

/** True if the account is a signer and its signature is valid. */
export function isSignedBy(transaction: Uint8Array, publicKey: Uint8Array): boolean {
  const { length: signatures, next: signaturesAt } = readLength(transaction, 0)
  const message = transaction.subarray(signaturesAt + signatures * SIGNATURE_BYTES)
  // A versioned message starts with its version; a header of three bytes follows.
  const header = (message[0] ?? 0) >= 0x80 ? 1 : 0
  const { length: keys, next: keysAt } = readLength(message, header + 3)
  for (let index = 0; index < Math.min(signatures, keys); index++) {
    const key = message.subarray(keysAt + index * KEY_BYTES, keysAt + (index + 1) * KEY_BYTES)
    if (!equalBytes(key, publicKey)) continue
    const at = signaturesAt + index * SIGNATURE_BYTES
    return isSignature(message, transaction.subarray(at, at + SIGNATURE_BYTES), publicKey)
  }
  return false
}
