/** Transactions for the sign checks, in Solana's wire format (https://solana.com/docs/core/transactions). */

const SIGNATURE_BYTES = 64

/** Returns a transaction in which the account transfers one lamport to itself, unsigned. */
export function createTransaction(
  publicKey: Iterable<number>,
  versions: readonly ('legacy' | 0)[],
  seed: number,
): Uint8Array {
  const isLegacy = versions.includes('legacy')
  const program = new Uint8Array(32) // the System program
  const blockhash = new Uint8Array(32).fill(seed)
  const transfer = [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
  const message = [
    ...(isLegacy ? [] : [0x80]),
    ...[1, 0, 1], // one signer, no read-only signer, one read-only account
    ...[2, ...publicKey, ...program],
    ...blockhash,
    ...[1, 1, 2, 0, 0, transfer.length, ...transfer],
    ...(isLegacy ? [] : [0]), // no lookup tables
  ]
  return Uint8Array.from([1, ...new Uint8Array(SIGNATURE_BYTES), ...message])
}

/** Returns the signature of a transaction with one signer, or undefined if its message is not that of `unsigned`. */
export function readSignature(signed: Uint8Array, unsigned: Uint8Array | undefined): Uint8Array | undefined {
  const start = 1 + SIGNATURE_BYTES
  if (!unsigned || signed.length !== unsigned.length || signed[0] !== 1) return undefined
  const isSame = unsigned.subarray(start).every((byte, i) => byte === signed[start + i])
  return isSame ? Uint8Array.from(signed.subarray(1, start)) : undefined
}
