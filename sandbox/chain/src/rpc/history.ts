import type { TransactionRecord } from '../ledger.js'
import { invalidParams } from '../rpc-error.js'
import type { ChainState } from '../state.js'
import { getMemo, type TransactionEncoding, type TransactionFormat, transactionJson } from '../transaction-json.js'
import { inContext, type Methods, method, readAt } from './context.js'
import { Config, type Params, toChoice, toList, toSignature } from './params.js'

const MAX_STATUSES = 256
const MAX_SIGNATURES = 1000
const ENCODINGS: readonly TransactionEncoding[] = ['json', 'jsonParsed', 'base64', 'base58', 'binary']

/** Reads `encoding` and `maxSupportedTransactionVersion`, or the encoding alone, as old clients send it. */
export function transactionFormat(params: Params, index: number): TransactionFormat & { readonly config: Config } {
  const value = params.value(index)
  if (typeof value === 'string') {
    return { encoding: toChoice(value, ENCODINGS), maxVersion: undefined, config: new Config({}) }
  }
  const config = params.config(index)
  if (config.value('commitment') !== undefined && config.commitment() === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`')
  }
  return {
    encoding: config.choice('encoding', ENCODINGS, 'json'),
    maxVersion: config.integer('maxSupportedTransactionVersion'),
    config,
  }
}

function confirmationStatus(state: ChainState, { slot }: TransactionRecord): 'confirmed' | 'finalized' {
  return slot <= state.root ? 'finalized' : 'confirmed'
}

export const historyMethods: Methods = {
  getSignatureStatuses: method(1, (context, params) => {
    const { state, faults } = context
    const signatures = toList(params.value(0), MAX_STATUSES, '').map(toSignature)
    params.config(1).flag('searchTransactionHistory')
    const statuses = signatures.map(signature => {
      const record = state.ledger.get(signature)
      // Fault: the node has no record of any transaction.
      if (!record || faults.has('forget')) return null
      const finality = confirmationStatus(state, record)
      return {
        confirmationStatus: finality,
        confirmations: finality === 'finalized' ? null : state.slot - record.slot,
        err: record.error,
        slot: record.slot,
        status: record.error === null ? { Ok: null } : { Err: record.error },
      }
    })
    return inContext(context, statuses)
  }),
  getTransaction: method(1, ({ state }, params) => {
    const signature = params.signature(0)
    const format = transactionFormat(params, 1)
    const record = state.ledger.get(signature)
    if (!record || (format.config.commitment() === 'finalized' && record.slot > state.root)) return null
    return { blockTime: record.time, slot: record.slot, ...transactionJson(record, format) }
  }),
  getSignaturesForAddress: method(1, (context, params) => {
    const { state } = context
    const address = params.pubkey(0)
    const config = params.config(1)
    const commitment = readAt(context, config)
    const limit = config.integer('limit') ?? MAX_SIGNATURES
    if (limit === 0 || limit > MAX_SIGNATURES) throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`)
    const signatures = getPage(state, address, config)
    return signatures
      .flatMap(signature => state.ledger.get(signature) ?? [])
      .filter(record => commitment !== 'finalized' || record.slot <= state.root)
      .slice(0, limit)
      .map(record => ({
        blockTime: record.time,
        confirmationStatus: confirmationStatus(state, record),
        err: record.error,
        memo: getMemo(record),
        signature: record.signature,
        slot: record.slot,
      }))
  }),
}

/** Returns the signatures of an address, newest first, after `before` and ahead of `until`. */
function getPage(state: ChainState, address: string, config: Config): string[] {
  const before = config.value('before')
  const until = config.value('until')
  const newestFirst = state.ledger.getSignatures(address).toReversed()
  // An unknown `before` signature gives an empty result.
  const start = before === undefined ? 0 : startAfter(newestFirst, toSignature(before))
  const end = until === undefined ? -1 : newestFirst.indexOf(toSignature(until))
  return newestFirst.slice(start, end < 0 ? undefined : end)
}

function startAfter(signatures: readonly string[], before: string): number {
  const index = signatures.indexOf(before)
  return index < 0 ? signatures.length : index + 1
}
