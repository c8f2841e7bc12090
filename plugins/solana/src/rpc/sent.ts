/** Chain calls of S7.7 that send a transaction, follow it and list those of the past; each checks its response. */
import { toBase64 } from '@keybay/kernel/spec'
import type { Commitment } from '../steps.js'
import { CONFIRMED } from './calls.js'
import type { Rpc, RpcOptions } from './http.js'
import { at, toLines, toList, toNumber, toText } from './read.js'

/** Sends signed bytes; sending them again is safe, because the chain executes them once. */
export async function sendRawTransaction(
  rpc: Rpc,
  transaction: Uint8Array,
  commitment: Commitment,
  options: RpcOptions & { readonly skipPreflight?: boolean },
): Promise<string> {
  const { skipPreflight = false } = options
  const config = { encoding: 'base64', preflightCommitment: commitment, skipPreflight }
  return toText(await rpc('sendTransaction', [toBase64(transaction), config], options), 'signature')
}

export interface SignatureStatus {
  readonly slot: number
  /** The chain's description of the failure; null if the transaction succeeded. */
  readonly failure: unknown
  readonly commitment: unknown
}

function toStatus(answer: unknown): SignatureStatus | undefined {
  const status = toList(at(answer, 'value'), 'statuses')[0]
  if (status === null) return undefined
  return {
    slot: toNumber(at(status, 'slot'), 'slot'),
    failure: at(status, 'err') ?? null,
    commitment: at(status, 'confirmationStatus') ?? 'finalized',
  }
}
/** Undefined if the node has not seen the transaction recently. */
export async function getSignatureStatus(
  rpc: Rpc,
  signature: string,
  options: RpcOptions,
): Promise<SignatureStatus | undefined> {
  return toStatus(await rpc('getSignatureStatuses', [[signature]], options))
}
/** Returns the program logs of a transaction on the chain; empty if the node does not know it. */
export async function getLogs(rpc: Rpc, signature: string, options: RpcOptions): Promise<readonly string[]> {
  const config = { ...CONFIRMED, encoding: 'base64', maxSupportedTransactionVersion: 0 }
  return toLines(at(await rpc('getTransaction', [signature, config], options), 'meta', 'logMessages'))
}

export interface SignatureEntry {
  readonly signature: string
  readonly slot: number
  /** In ms since 1970. */
  readonly time: number | undefined
  readonly failed: boolean
  /** The transaction's memos as the node lists them. */
  readonly memo: string | undefined
}
/** Returns the newest transactions of an address, newest first. */
export async function getSignatures(
  rpc: Rpc,
  address: string,
  { limit, ...options }: RpcOptions & { readonly limit: number },
): Promise<readonly SignatureEntry[]> {
  const list = toList(await rpc('getSignaturesForAddress', [address, { ...CONFIRMED, limit }], options), 'signatures')
  return list.map(entry => {
    const [time, memo] = [at(entry, 'blockTime') ?? undefined, at(entry, 'memo') ?? undefined]
    return {
      signature: toText(at(entry, 'signature'), 'signature'),
      slot: toNumber(at(entry, 'slot'), 'slot'),
      time: time === undefined ? undefined : toNumber(time, 'blockTime') * 1000,
      failed: (at(entry, 'err') ?? null) !== null,
      memo: memo === undefined ? undefined : toText(memo, 'memo'),
    }
  })
}
/** Returns the transaction as parsed by the node; null if the node does not know it. */
export async function getParsedTransaction(rpc: Rpc, signature: string, options: RpcOptions): Promise<unknown> {
  const config = { ...CONFIRMED, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }
  return (await rpc('getTransaction', [signature, config], options)) ?? null
}

type Settled = readonly PromiseSettledResult<unknown>[]

/** Returns the responses of all nodes. @throws the error of a node */
function requireAll(settled: Settled): readonly unknown[] {
  return settled.map(result => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
/** Returns the responses of all nodes that responded. @throws the error of a node, if none responded */
function requireAny(settled: Settled): readonly unknown[] {
  const values = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  return values.length ? values : requireAll(settled)
}
/** Returns the status from any node that currently responds. */
export async function findSignatureStatus(
  rpc: Rpc,
  signature: string,
  options: RpcOptions,
): Promise<SignatureStatus | undefined> {
  const answers = requireAny(await rpc.all('getSignatureStatuses', [[signature]], options))
  return answers.map(toStatus).find(status => status !== undefined)
}
/**
 * Returns the status from any node, also of older transactions.
 * @throws KeybayError if a node fails to respond, because it may know more
 */
export async function findOldSignatureStatus(
  rpc: Rpc,
  signature: string,
  options: RpcOptions,
): Promise<SignatureStatus | undefined> {
  const params = [[signature], { searchTransactionHistory: true }]
  const answers = requireAll(await rpc.all('getSignatureStatuses', params, options))
  return answers.map(toStatus).find(status => status !== undefined)
}

export async function getBlockHeight(rpc: Rpc, options: RpcOptions): Promise<number> {
  return toNumber(await rpc('getBlockHeight', [CONFIRMED], options), 'block height')
}
/** Returns the block height of every node. @throws KeybayError if a node fails to respond */
export async function getBlockHeights(rpc: Rpc, options: RpcOptions): Promise<readonly number[]> {
  const heights = requireAll(await rpc.all('getBlockHeight', [CONFIRMED], options))
  return heights.map(height => toNumber(height, 'block height'))
}
/** Sends the same bytes again to every node, and ignores the responses. */
export async function rebroadcast(
  rpc: Rpc,
  transaction: Uint8Array,
  commitment: Commitment,
  options: RpcOptions,
): Promise<void> {
  const config = { encoding: 'base64', preflightCommitment: commitment, skipPreflight: true }
  await rpc.all('sendTransaction', [toBase64(transaction), config], options)
}
