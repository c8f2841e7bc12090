/** Instruction as plain data, so that an app needs no library to create one. */

/** Account that an instruction uses. */
export interface InstructionAccount {
  /** Base58. */
  readonly address: string
  /** True if its key must sign. Default false. */
  readonly signer?: boolean | undefined
  /** True if the instruction may change it. Default false. */
  readonly writable?: boolean | undefined
}
/**
 * @example
 * // of @solana/web3.js
 * const instruction = {
 *   program: theirs.programId.toBase58(),
 *   accounts: theirs.keys.map(key => ({ address: key.pubkey.toBase58(), signer: key.isSigner, writable: key.isWritable })),
 *   data: theirs.data,
 * }
 */
export interface Instruction {
  /** Base58. */
  readonly program: string
  readonly accounts: readonly InstructionAccount[]
  readonly data: Uint8Array
}
