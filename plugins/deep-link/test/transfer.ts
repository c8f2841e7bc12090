/** Builds an unsigned legacy transfer from an account to itself. */
const SYSTEM_PROGRAM = new Uint8Array(32)
const BLOCKHASH = new Uint8Array(32).fill(9)

export function transfer(from: Uint8Array, lamports: number): Uint8Array {
  return Uint8Array.from([
    ...[1, ...new Uint8Array(64)], // one signature, empty
    ...[1, 0, 1], // one signer, who writes; one account that does not
    ...[2, ...from, ...SYSTEM_PROGRAM, ...BLOCKHASH],
    ...[1, 1, 2, 0, 0, 12, 2, 0, 0, 0, lamports, 0, 0, 0, 0, 0, 0, 0],
  ])
}
