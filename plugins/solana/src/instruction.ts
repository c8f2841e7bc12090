/** An instruction as plain data, so that a host needs no library to hand one in. */

/** An account that an instruction touches. */
export interface InstructionAccount {
  /** Base58. */
  readonly address: string
  /** Its key must sign. Default false. */
  readonly signer?: boolean | undefined
  /** It may change. Default false. */
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
