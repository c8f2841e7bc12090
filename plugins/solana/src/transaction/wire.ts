/** Reads a transaction's bytes; invalid ones become "Invalid transaction". */
import { invalidTransaction, KeybayError } from '@keybay/kernel/spec'
import { VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'

export interface ReadTransaction {
  /** Required signers, as base58; the first pays, and its signature identifies the transaction. */
  readonly signers: readonly string[]
  /** Base58, or undefined for a missing signature; in the order of `signers`. */
  readonly signatures: readonly (string | undefined)[]
  readonly message: Uint8Array
  readonly blockhash: string
  /** Program of each instruction, as base58. */
  readonly programs: readonly (string | undefined)[]
}
/** @throws KeybayError `invalid_transaction` */
export function readTransaction(bytes: Uint8Array): ReadTransaction {
  try {
    const { message, signatures } = VersionedTransaction.deserialize(bytes)
    const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).map(key => key.toBase58())
    if (!signers.length || signers.length !== signatures.length) throw new RangeError('signatures do not fit signers')
    return {
      signers,
      signatures: signatures.map(signature =>
        signature.some(byte => byte !== 0) ? bs58.encode(signature) : undefined,
      ),
      message: message.serialize(),
      blockhash: message.recentBlockhash,
      programs: message.compiledInstructions.map(compiledInstruction =>
        message.staticAccountKeys[compiledInstruction.programIdIndex]?.toBase58(),
      ),
    }
  } catch (cause) {
    throw new KeybayError(invalidTransaction, { cause })
  }
}
