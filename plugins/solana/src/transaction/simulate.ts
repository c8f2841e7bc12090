/** Returns a transaction's changes before signing, by comparing the accounts that it writes before and after. */
import { invalidTransaction, KeybayError } from '@keybay/kernel/spec'
import { AddressLookupTableAccount, VersionedTransaction } from '@solana/web3.js'
import type { Client } from '../client.js'
import { SYSTEM_PROGRAM } from '../programs/addresses.js'
import { isTokenProgram } from '../programs/token.js'
import { getAccounts, getParsedAccounts, simulateTransaction } from '../rpc/calls.js'
import { at, toBigint, toText } from '../rpc/read.js'
import type { BalanceChange, BuiltTransaction, CallOptions, Simulation } from '../steps.js'
import { readParsedToken } from '../tokens.js'
import { decodeFailure } from './reason.js'
import { readTransaction } from './wire.js'

/** Returns base58 addresses, including those from lookup tables. @throws KeybayError `invalid_transaction` */
async function writtenBy({ rpc }: Client, bytes: Uint8Array, options: CallOptions): Promise<readonly string[]> {
  const { message } = VersionedTransaction.deserialize(bytes)
  const names = message.addressTableLookups.map(({ accountKey }) => accountKey)
  const tables = names.length ? await getAccounts(rpc, names.map(String), options) : []
  const addressLookupTableAccounts = names.map((key, index) => {
    const data = tables[index]?.data
    if (!data) throw new KeybayError(invalidTransaction, { details: { reason: `lookup table ${key} does not exist` } })
    return new AddressLookupTableAccount({ key, state: AddressLookupTableAccount.deserialize(data) })
  })
  const keys = message.getAccountKeys({ addressLookupTableAccounts })
  return Array.from({ length: keys.length }, (_, index) => index)
    .filter(index => message.isAccountWritable(index))
    .flatMap(index => keys.get(index)?.toBase58() ?? [])
}
/** Compares one account before and after; null: it does not exist. */
function getChange(address: string, before: unknown, after: unknown): readonly BalanceChange[] {
  const lamports = (account: unknown) => (account === null ? 0n : toBigint(at(account, 'lamports'), 'lamports'))
  const program = (account: unknown) => (account === null ? SYSTEM_PROGRAM : toText(at(account, 'owner'), 'owner'))
  const token = (account: unknown) =>
    isTokenProgram(program(account)) && at(account, 'data', 'parsed', 'type') === 'account'
      ? {
          ...readParsedToken({ pubkey: address, account }),
          owner: toText(at(account, 'data', 'parsed', 'info', 'owner'), 'owner'),
        }
      : undefined
  const [held, holds] = [token(before), token(after)]
  const known = holds ?? held
  if (!known) {
    const change = { owner: address, before: lamports(before), after: lamports(after) }
    return change.before === change.after ? [] : [change]
  }
  const { owner, mint, decimals } = known
  const amounts = { before: held?.amount ?? 0n, after: holds?.amount ?? 0n }
  if (amounts.before === amounts.after) return []
  return [{ owner, ...amounts, token: { mint, account: address, program: known.program, decimals } }]
}
/** Sorts SOL before tokens, the sender's own changes before others. */
function getPlace({ token, owner }: BalanceChange, from: string): number {
  return (token ? 2 : 0) + (owner === from ? 0 : 1)
}
/** @throws KeybayError `invalid_transaction`, and the errors of a call; the result holds a failure on the chain */
export async function simulate(
  client: Client,
  { transaction, from, nonce }: BuiltTransaction,
  options: CallOptions,
): Promise<Simulation> {
  const { rpc } = client
  const { programs } = readTransaction(transaction)
  const accounts = await writtenBy(client, transaction, options)
  const before = await getParsedAccounts(rpc, accounts, options)
  const run = await simulateTransaction(rpc, transaction, { ...options, replaceBlockhash: !nonce, accounts })
  const { units, logs } = run
  if (run.failure !== null) return { units, logs, changes: [], failure: decodeFailure(run.failure, programs, logs) }
  const changes = accounts
    .flatMap((address, index) => getChange(address, before[index], run.accounts[index] ?? null))
    .sort((a, b) => getPlace(a, from) - getPlace(b, from))
  return { units, logs, changes }
}
