import type { TransactionError } from '../errors.js'
import { getFee } from '../fees.js'
import { type TokenBalance, tokenBalances } from '../tokens.js'
import type { Simulation, Vm } from '../vm.js'
import type { Message } from '../wire.js'

/** Returns true if the transaction would land and pay its fee, even if it fails; otherwise it costs nothing. */
function wouldLand(error: TransactionError | null): boolean {
  return (
    error === null ||
    (typeof error === 'object' && ('InstructionError' in error || 'InsufficientFundsForRent' in error))
  )
}

export interface CostJson {
  readonly fee: number | null
  readonly preBalances: readonly number[] | null
  readonly postBalances: readonly number[] | null
  readonly preTokenBalances: readonly TokenBalance[] | null
  readonly postTokenBalances: readonly TokenBalance[] | null
}

/** Returns a simulated transaction's cost and balance changes, as nodes do from Agave 3.0. `keys`: all its keys. */
export function costJson(vm: Vm, message: Message, simulation: Simulation, keys: readonly string[]): CostJson {
  if (!wouldLand(simulation.error))
    return { fee: null, preBalances: null, postBalances: null, preTokenBalances: null, postTokenBalances: null }
  const after = simulation.accounts()
  const account = (address: string) => after.get(address) ?? vm.account(address)
  const fee = Number(getFee(message))
  const preBalances = keys.map(key => vm.balance(key))
  // A failure reverts everything except the fee.
  const postBalances = simulation.error
    ? preBalances.map((balance, index) => (index ? balance : balance - fee))
    : keys.map(key => Number(account(key)?.lamports ?? 0n))
  return {
    fee,
    preBalances,
    postBalances,
    preTokenBalances: tokenBalances(vm, keys),
    postTokenBalances: tokenBalances({ account }, keys),
  }
}
