/** Compiles instructions into transaction bytes: legacy, or version 0 with lookup tables. */
import { invalidTransaction, KeybayError } from '@keybay/kernel/spec'
import {
  type AddressLookupTableAccount,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { Buffer } from 'buffer'
import type { Instruction } from '../instruction.js'

/** Size of a network packet; the chain accepts no larger transaction. */
export const MAX_BYTES = 1232

export interface Draft {
  readonly payer: string
  readonly instructions: readonly Instruction[]
  readonly version: 'legacy' | 0
  readonly tables: readonly AddressLookupTableAccount[]
}

function foreign({ program, accounts, data }: Instruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: accounts.map(({ address, signer = false, writable = false }) => ({
      pubkey: new PublicKey(address),
      isSigner: signer,
      isWritable: writable,
    })),
    data: Buffer.from(data),
  })
}

/** Returns the bytes, or undefined if they exceed a packet. */
export function tryCompile({ payer, instructions, version, tables }: Draft, blockhash: string): Uint8Array | undefined {
  const message = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: blockhash,
    instructions: instructions.map(foreign),
  })
  try {
    const compiled = version === 0 ? message.compileToV0Message([...tables]) : message.compileToLegacyMessage()
    const bytes = new VersionedTransaction(compiled).serialize()
    return bytes.length <= MAX_BYTES ? bytes : undefined
  } catch {
    return undefined // The library throws because its buffer has the size of a packet.
  }
}

/** @throws KeybayError `invalid_transaction`: too large */
export function compile(draft: Draft, blockhash: string): Uint8Array {
  const bytes = tryCompile(draft, blockhash)
  if (!bytes) throw new KeybayError(invalidTransaction, { details: { reason: `larger than ${MAX_BYTES} bytes` } })
  return bytes
}
