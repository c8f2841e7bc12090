/** Chain calls of S7.7 that Keybay makes; each checks its response. */
import { toBase64 } from '@keybay/kernel/spec'
import type { ChainAccount } from '../programs/token.js'
import type { Commitment } from '../steps.js'
import type { Rpc, RpcOptions } from './http.js'
import { at, malformed, toBigint, toBytes, toLines, toList, toNumber, toText } from './read.js'

export interface Balance {
  /** lamports */
  readonly lamports: bigint
  /** Slot of the balance. */
  readonly slot: number
}
const CONFIRMED = { commitment: 'confirmed' }

export async function getBalance(rpc: Rpc, address: string, options: RpcOptions): Promise<Balance> {
  const answer = await rpc('getBalance', [address, CONFIRMED], options)
  return { lamports: toBigint(at(answer, 'value'), 'balance'), slot: toNumber(at(answer, 'context', 'slot'), 'slot') }
}

type Addresses = readonly string[]

async function readAccounts(rpc: Rpc, addresses: Addresses, config: object, options: RpcOptions) {
  const answer = await rpc('getMultipleAccounts', [addresses, { ...CONFIRMED, ...config }], options)
  const accounts = toList(at(answer, 'value'), 'accounts')
  return addresses.map((_, index) => accounts[index] ?? null)
}
/** Returns the lamports of each account, undefined for a missing one. */
export async function getLamports(
  rpc: Rpc,
  addresses: Addresses,
  options: RpcOptions,
): Promise<readonly (bigint | undefined)[]> {
  const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } }
  const accounts = await readAccounts(rpc, addresses, config, options)
  return accounts.map(account => (account === null ? undefined : toBigint(at(account, 'lamports'), 'lamports')))
}

function toAccount(value: unknown): ChainAccount | undefined {
  if (value === null) return undefined
  return {
    owner: toText(at(value, 'owner'), 'owner'),
    lamports: toBigint(at(value, 'lamports'), 'lamports'),
    data: toBytes(at(value, 'data', 0), 'data'),
  }
}
/** Returns at most 100 accounts; undefined for a missing one. */
export async function getAccounts(
  rpc: Rpc,
  addresses: Addresses,
  options: RpcOptions,
): Promise<readonly (ChainAccount | undefined)[]> {
  return (await readAccounts(rpc, addresses, { encoding: 'base64' }, options)).map(toAccount)
}
/** Returns the same accounts as parsed by the node, for data that differs by program; null for a missing one. */
export function getParsedAccounts(rpc: Rpc, addresses: Addresses, options: RpcOptions): Promise<readonly unknown[]> {
  return readAccounts(rpc, addresses, { encoding: 'jsonParsed' }, options)
}

export async function listProgramAccounts(
  rpc: Rpc,
  program: string,
  where: { readonly offset: number; readonly bytes: string },
  options: RpcOptions,
): Promise<readonly { readonly address: string; readonly account: ChainAccount }[]> {
  const config = { ...CONFIRMED, encoding: 'base64', filters: [{ memcmp: where }] }
  const list = toList(await rpc('getProgramAccounts', [program, config], options), 'accounts')
  return list.flatMap(entry => {
    const account = toAccount(at(entry, 'account'))
    return account ? { address: toText(at(entry, 'pubkey'), 'pubkey'), account } : []
  })
}

export async function getTokenAccountsByOwner(
  rpc: Rpc,
  owner: string,
  filter: { readonly programId: string } | { readonly mint: string },
  options: RpcOptions,
): Promise<readonly unknown[]> {
  const config = { ...CONFIRMED, encoding: 'jsonParsed' }
  return toList(at(await rpc('getTokenAccountsByOwner', [owner, filter, config], options), 'value'), 'token accounts')
}
/** Returns recent fees of transactions that wrote these accounts, in micro-lamports per compute unit, oldest first. */
export async function getRecentPrioritizationFees(
  rpc: Rpc,
  addresses: Addresses,
  options: RpcOptions,
): Promise<readonly bigint[]> {
  const fees = toList(await rpc('getRecentPrioritizationFees', [addresses], options), 'fees')
  return fees.map(entry => toBigint(at(entry, 'prioritizationFee'), 'fee'))
}

export interface SimulateOptions extends RpcOptions {
  /** Simulates with the newest blockhash, which the response then contains. */
  readonly replaceBlockhash: boolean
  /** Accounts whose resulting state to return, as parsed by the node. */
  readonly accounts?: readonly string[]
}
export interface SimulationAnswer {
  /** The chain's description of the failure; null if the transaction would succeed. */
  readonly failure: unknown
  readonly units: number
  readonly logs: readonly string[]
  readonly accounts: readonly unknown[]
  /** Nodes before Agave 2.0 return none. */
  readonly blockhash: LatestBlockhash | undefined
  /** Fee of these bytes, in lamports; undefined on nodes before Agave 3.0, and for a transaction that can't run at all. */
  readonly fee: bigint | undefined
  /** Payer's balance before and after, in lamports; undefined in the same cases as `fee`. */
  readonly payer: { readonly before: bigint; readonly after: bigint } | undefined
}
/** The payer is the first account. */
function toPayer(value: unknown): SimulationAnswer['payer'] {
  const [before, after] = [at(value, 'preBalances', 0), at(value, 'postBalances', 0)]
  if (before === undefined || after === undefined) return undefined
  return { before: toBigint(before, 'preBalances'), after: toBigint(after, 'postBalances') }
}
/** Ignores signatures, because it runs before signing. */
export async function simulateTransaction(
  rpc: Rpc,
  transaction: Uint8Array,
  { replaceBlockhash, accounts, ...options }: SimulateOptions,
): Promise<SimulationAnswer> {
  const config = {
    ...CONFIRMED,
    encoding: 'base64',
    sigVerify: false,
    replaceRecentBlockhash: replaceBlockhash,
    ...(accounts && { accounts: { encoding: 'jsonParsed', addresses: accounts } }),
  }
  const value = at(await rpc('simulateTransaction', [toBase64(transaction), config], options), 'value')
  const failure = at(value, 'err')
  if (failure === undefined) throw malformed('err')
  const replaced = at(value, 'replacementBlockhash')
  const after = at(value, 'accounts')
  const fee = at(value, 'fee')
  return {
    failure,
    units: toNumber(at(value, 'unitsConsumed') ?? 0, 'unitsConsumed'),
    logs: toList(at(value, 'logs') ?? [], 'logs').map(String),
    accounts: Array.isArray(after) ? after : [],
    blockhash: replaced === undefined || replaced === null ? undefined : toBlockhash(replaced),
    fee: fee === undefined || fee === null ? undefined : toBigint(fee, 'fee'),
    payer: toPayer(value),
  }
}

export interface LatestBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: number
}

function toBlockhash(value: unknown): LatestBlockhash {
  return {
    blockhash: toText(at(value, 'blockhash'), 'blockhash'),
    lastValidBlockHeight: toNumber(at(value, 'lastValidBlockHeight'), 'lastValidBlockHeight'),
  }
}

export async function getLatestBlockhash(rpc: Rpc, options: RpcOptions): Promise<LatestBlockhash> {
  return toBlockhash(at(await rpc('getLatestBlockhash', [CONFIRMED], options), 'value'))
}
/** Returns lamports; undefined while the node knows no fee. */
export async function getFeeForMessage(
  rpc: Rpc,
  message: Uint8Array,
  options: RpcOptions,
): Promise<bigint | undefined> {
  const value = at(await rpc('getFeeForMessage', [toBase64(message), CONFIRMED], options), 'value')
  return value === null ? undefined : toBigint(value, 'fee')
}

export async function getGenesisHash(rpc: Rpc, options: RpcOptions): Promise<string> {
  return toText(await rpc('getGenesisHash', [], options), 'genesis hash')
}
/** Returns the minimum balance of an account without data, in lamports. */
export async function getRentExemption(rpc: Rpc, options: RpcOptions): Promise<bigint> {
  return toBigint(await rpc('getMinimumBalanceForRentExemption', [0], options), 'rent')
}
/** @returns the signature, base58 */
export async function requestAirdrop(
  rpc: Rpc,
  address: string,
  lamports: number,
  commitment: Commitment,
  options: RpcOptions,
): Promise<string> {
  return toText(
    await rpc('requestAirdrop', [address, lamports, { commitment }], { ...options, once: true }),
    'signature',
  )
}
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
