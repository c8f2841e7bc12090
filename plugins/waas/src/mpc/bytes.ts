/** Copies, labelled hashes and erasure of bytes. */
import { concatBytes, copyBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Copies into new memory. `slice` does not: a slice of Node's `Buffer` shares its memory. */
export function createCopy(bytes: Uint8Array, start?: number, end?: number): Uint8Array {
  return copyBytes(bytes.subarray(start, end))
}

/** Returns SHA-256 of a label and parts. Each has its length in front, so two different lists never hash the same input. */
export function digest(label: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const all = [utf8ToBytes(`keybay/mpc/1/${label}`), ...parts]
  const input = concatBytes(...all.flatMap(part => [encodeLength(part), part]))
  const hash = sha256(input)
  erase(input) // may hold a secret
  return hash
}

function encodeLength({ length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, length)
  return bytes
}

/** Overwrites secrets with zeros. Bigints that a library made of them cannot be overwritten; the garbage collector takes them. */
export function erase(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0)
}
