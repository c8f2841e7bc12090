/** Bytes: comparing, hashing under a label, erasing. */
import { concatBytes, equalBytes as constantTime, copyBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** In a time that depends on the lengths only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return constantTime(a, b)
}

/** A copy with memory of its own. Not `slice`: of Node's `Buffer`, that is a view of the same memory. */
export function copyOf(bytes: Uint8Array, start?: number, end?: number): Uint8Array {
  return copyBytes(bytes.subarray(start, end))
}

/** SHA-256 of a label and parts, each with its length before it, so that no two lists hash alike. */
export function digest(label: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const all = [utf8ToBytes(`keybay/mpc/1/${label}`), ...parts]
  const input = concatBytes(...all.flatMap(part => [lengthOf(part), part]))
  const hash = sha256(input)
  // It may hold a secret.
  erase(input)
  return hash
}

function lengthOf({ length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, length)
  return bytes
}

/** Overwrites secrets with zeros. Numbers that a library made of them (bigint) cannot be overwritten; they go with its garbage. */
export function erase(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0)
}
