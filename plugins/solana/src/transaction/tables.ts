/** Uses legacy if it fits; else version 0 with the lookup tables that the app specified or that the sender created. */
import { invalidTransaction, KeybayError } from '@keybay/kernel/spec'
import { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import type { Client } from '../client.js'
import { LOOKUP_TABLE_PROGRAM } from '../programs/addresses.js'
import type { ChainAccount } from '../programs/token.js'
import { listProgramAccounts } from '../rpc/calls.js'
import type { CallOptions, SendInput } from '../steps.js'
import { type Draft, MAX_BYTES, tryCompile } from './compile.js'
import type { Plan } from './plan.js'

/** Offset of a table's authority (solana-address-lookup-table-interface, state.rs). */
const AUTHORITY_AT = 22
/** Any value; only the size matters. */
const PLACEHOLDER = '11111111111111111111111111111111'

interface Found {
  readonly address: string
  readonly account: ChainAccount
}
/** Only active tables: a deactivated one may be gone when the transaction arrives. */
function readTables(found: readonly Found[]): readonly AddressLookupTableAccount[] {
  return found.flatMap(({ address, account }) => {
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
    const own = await listProgramAccounts(rpc, LOOKUP_TABLE_PROGRAM, where, options).catch(() => [])
    const found: Draft = { ...named, tables: [...named.tables, ...readTables(own)] }
    if (fits(found)) return found
  } else if (fits(draft)) return draft
  throw new KeybayError(invalidTransaction, { details: { reason: `larger than ${MAX_BYTES} bytes` } })
}
