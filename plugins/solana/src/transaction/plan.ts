/** Returns an order's instructions in sequence, and each receiver's amount. SOL transfers need no chain request. */
import { invalidTransaction, KeybayError } from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import type { Instruction } from '../instruction.js'
import { advanceNonce, memo, transferSol } from '../programs/instructions.js'
import { type ChainAccount, readNonce } from '../programs/token.js'
import { getAccounts } from '../rpc/calls.js'
import type { CallOptions, PlannedTransfer, SendInput } from '../steps.js'
import type { Order } from './order.js'
import { type Accounts, planTokens, tokenAddresses } from './plan-tokens.js'

export interface Plan {
  readonly from: string
  readonly payer: string
  /** Nonce advance at the start, if any. */
  readonly lead: readonly Instruction[]
  readonly instructions: readonly Instruction[]
  readonly transfers: readonly PlannedTransfer[]
  readonly nonce: { readonly account: string; readonly value: string } | undefined
  /** Lookup tables that the app specified. */
  readonly tables: readonly { readonly address: string; readonly account: ChainAccount }[]
}

const MAX_ACCOUNTS = 100

async function lookUp({ rpc }: Client, addresses: readonly string[], options: CallOptions): Promise<Accounts> {
  const unique = [...new Set(addresses)]
  const byAddress = new Map<string, ChainAccount>()
  for (let start = 0; start < unique.length; start += MAX_ACCOUNTS) {
    const batch = unique.slice(start, start + MAX_ACCOUNTS)
    const accounts = await getAccounts(rpc, batch, options)
    for (const [index, address] of batch.entries()) {
      const account = accounts[index]
      if (account) byAddress.set(address, account)
    }
  }
  return byAddress
}

function planNonce(accounts: Accounts, from: string, { nonce }: SendInput): Pick<Plan, 'lead' | 'nonce'> {
  if (!nonce) return { lead: [], nonce: undefined }
  const { account, authority = from } = nonce
  const held = readNonce(accounts.get(account))
  if (held?.authority !== authority) {
    const reason = held ? 'the nonce belongs to another authority' : 'the nonce account does not exist'
    throw new KeybayError(invalidTransaction, { details: { reason } })
  }
  return { lead: [advanceNonce(account, authority)], nonce: { account, value: held.value } }
}
/** @throws KeybayError `invalid_transaction` (the nonce), and the errors of `planTokens` for tokens */
export async function planTransaction(
  client: Client,
  input: SendInput,
  order: Order,
  from: string,
  options: CallOptions,
): Promise<Plan> {
  const { feePayer: payer = from, instructions: ownInstructions = [], lookupTables = [], nonce } = input
  const addresses = [...lookupTables, ...(nonce ? [nonce.account] : []), ...tokenAddresses(order, from)]
  const accounts = addresses.length ? await lookUp(client, addresses, options) : new Map<string, ChainAccount>()
  const common = { from, payer, ...planNonce(accounts, from, input) }
  const tables = lookupTables.flatMap(address => {
    const account = accounts.get(address)
    return account ? { address, account } : []
  })
  const note = input.memo ? [memo(input.memo, from)] : []
  if (order.token === undefined) {
    const transfers = order.transfers.map(({ to, amount }) => transferSol(from, to, amount))
    return { ...common, tables, instructions: [...transfers, ...ownInstructions, ...note], transfers: order.transfers }
  }
  const tokens = await planTokens(client, { accounts, order, mint: order.token, from, payer, note: note[0] }, options)
  const rest = tokens.noted ? [] : note
  return {
    ...common,
    tables,
    instructions: [...tokens.instructions, ...ownInstructions, ...rest],
    transfers: tokens.transfers,
  }
}
