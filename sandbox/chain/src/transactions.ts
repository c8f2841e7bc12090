import type { TransactionError } from './errors.js'
import { getPrice } from './fees.js'
import { getAccountKeys, loadAddresses, type TransactionRecord } from './ledger.js'
import { advanceNonce, getNonceAccount } from './nonce.js'
import type { ChainState } from './state.js'
import { tokenBalances } from './tokens.js'
import type { Simulation } from './vm.js'
import { isWritableIndex, type WireTransaction } from './wire.js'

/** Returns why a transaction may not run, checked in a validator's order: lifetime first, then duplicates. */
function lifetimeError(state: ChainState, { message, signatures }: WireTransaction): TransactionError | null {
  const alive = state.blockhashes.isValid(message.recentBlockhash) || getNonceAccount(state.vm, message) !== undefined
  if (!alive) return 'BlockhashNotFound'
  return state.ledger.get(signatures[0] ?? '') ? 'AlreadyProcessed' : null
}

/**
 * Runs a transaction and keeps its effects. One that fails in an instruction also lands and pays; one that may not run
 * leaves no trace: then the error is returned. @param verified its signatures were already verified on these bytes
 */
export function execute(
  state: ChainState,
  transaction: WireTransaction,
  verified: boolean,
): TransactionRecord | { readonly refused: TransactionError } {
  const refused = lifetimeError(state, transaction)
  if (refused) return { refused }
  const { vm } = state
  const { message } = transaction
  const nonce = state.blockhashes.isValid(message.recentBlockhash) ? undefined : getNonceAccount(vm, message)
  const loaded = loadAddresses(vm, message)
  const keys = getAccountKeys(transaction, loaded)
  const preBalances = keys.map(key => vm.balance(key))
  const preTokenBalances = tokenBalances(vm, keys)
  const outcome = vm.execute(transaction.raw, verified)
  const postBalances = keys.map(key => vm.balance(key))
  // Lamports only move between a transaction's own accounts, so the missing amount is the fee.
  const fee = sum(preBalances) - sum(postBalances)
  if (outcome.error && fee === 0) return { refused: outcome.error }
  if (outcome.error && nonce) advanceNonce(vm, nonce)
  const record: TransactionRecord = {
    signature: transaction.signatures[0] ?? '',
    slot: state.slot,
    time: state.open.time,
    wire: transaction.raw.toString('base64'),
    error: outcome.error,
    fee,
    preBalances,
    postBalances,
    preTokenBalances,
    postTokenBalances: tokenBalances(vm, keys),
    logs: outcome.logs,
    inner: outcome.inner,
    units: outcome.units,
    loaded,
    returnData: outcome.returnData,
  }
  state.ledger.add(record)
  state.open.signatures.push(record.signature)
  state.burnedFees += fee
  state.dirty = true
  const writable = [...message.accountKeys.filter((_, index) => isWritableIndex(message, index)), ...loaded.writable]
  state.priorityFees.add(state.slot, getPrice(message), writable)
  for (const listener of state.listeners) listener.transaction(record, writable)
  return record
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

export interface SimulationRequest {
  readonly checkSignatures: boolean
  /** Simulates as if the transaction used the latest blockhash. */
  readonly replaceBlockhash: boolean
}

/** Runs a transaction without keeping its effects. A `SignatureFailure` precedes every other error, as on a node. */
export function simulate(
  state: ChainState,
  transaction: WireTransaction,
  { checkSignatures, replaceBlockhash }: SimulationRequest,
): Simulation {
  const simulation = state.vm.simulate(transaction.raw, checkSignatures)
  if (simulation.error === 'SignatureFailure' || replaceBlockhash) return simulation
  const error = lifetimeError(state, transaction)
  if (!error) return simulation
  return { error, logs: [], units: 0, inner: [], returnData: null, accounts: () => new Map() }
}
