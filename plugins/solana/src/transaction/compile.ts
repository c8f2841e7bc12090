/** Compiles instructions into transaction bytes: legacy, or version 0 with lookup tables. */
import { invalidTransaction, KeybayError } from '@keybay/kernel/spec'
import {
  AddressLookupTableAccount,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { Buffer } from 'buffer'
import type { Client } from '../client.js'
import type { Instruction } from '../instruction.js'
import { LOOKUP_TABLE_PROGRAM } from '../programs/addresses.js'
import type { ChainAccount } from '../programs/token.js'
import { listProgramAccounts } from '../rpc/calls.js'
import type { CallOptions, SendInput } from '../steps.js'
import type { Plan } from './plan.js'

/** Size of a network packet; the chain accepts no larger transaction. */
const MAX_BYTES = 1232

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

/** Offset of a table's authority (solana-address-lookup-table-interface, state.rs). */
const AUTHORITY_AT = 22
/** Any value; only the size matters. */
const PLACEHOLDER = '11111111111111111111111111111111'

interface Table {
  readonly address: string
  readonly account: ChainAccount
}
/** Only active tables: a deactivated one may be gone when the transaction arrives. */
function readTables(tables: readonly Table[]): readonly AddressLookupTableAccount[] {
  return tables.flatMap(({ address, account }) => {
    if (account.owner !== LOOKUP_TABLE_PROGRAM) return []
    try {
      const state = AddressLookupTableAccount.deserialize(account.data)
      const table = new AddressLookupTableAccount({ key: new PublicKey(address), state })
      return table.isActive() ? [table] : []
    } catch {
      return []
    }
  })
}
/** Returns a draft that fits. @throws KeybayError `invalid_transaction`: too large in every form */
export async function fit(
  { rpc }: Client,
  { payer, from, tables }: Plan,
  instructions: Draft['instructions'],
  { version }: Pick<SendInput, 'version'>,
  options: CallOptions,
): Promise<Draft> {
  const draft: Draft = { payer, instructions, version: version ?? 'legacy', tables: [] }
  const fits = (draft: Draft) => tryCompile(draft, PLACEHOLDER) !== undefined
  if (version === undefined && fits(draft)) return draft
  if (version !== 'legacy') {
    const named: Draft = { ...draft, version: 0, tables: readTables(tables) }
    if (fits(named)) return named
    const where = { offset: AUTHORITY_AT, bytes: from }
    // Many public nodes do not support this call; the result is then empty.
    const created = await listProgramAccounts(rpc, LOOKUP_TABLE_PROGRAM, where, options).catch(() => [])
    const extended: Draft = { ...named, tables: [...named.tables, ...readTables(created)] }
    if (fits(extended)) return extended
  } else if (fits(draft)) return draft
  throw new KeybayError(invalidTransaction, { details: { reason: `larger than ${MAX_BYTES} bytes` } })
}
