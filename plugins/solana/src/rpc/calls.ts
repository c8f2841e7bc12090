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

export async function getBalance(
  rpc: Rpc,
  address: string,
  commitment: Commitment,
  options: RpcOptions,
): Promise<Balance> {
  const answer = await rpc('getBalance', [address, { commitment }], options)
  return { lamports: toBigint(at(answer, 'value'), 'balance'), slot: toNumber(at(answer, 'context', 'slot'), 'slot') }
}

/** Returns the lamports of each account, undefined for a missing one. */
export async function getLamports(
  rpc: Rpc,
  addresses: readonly string[],
  commitment: Commitment,
  options: RpcOptions,
): Promise<readonly (bigint | undefined)[]> {
  const config = { commitment, encoding: 'base64', dataSlice: { offset: 0, length: 0 } }
  const accounts = toList(at(await rpc('getMultipleAccounts', [addresses, config], options), 'value'), 'accounts')
  return addresses.map((_, index) => {
    const account = accounts[index]
    return account === null ? undefined : toBigint(at(account, 'lamports'), 'lamports')
  })
}

function toAccount(value: unknown): ChainAccount | undefined {
  return value === null
    ? undefined
    : {
        owner: toText(at(value, 'owner'), 'owner'),
        lamports: toBigint(at(value, 'lamports'), 'lamports'),
        data: toBytes(at(value, 'data', 0), 'data'),
      }
}
/** Returns at most 100 accounts; undefined for a missing one. */
export async function getAccounts(
  rpc: Rpc,
  addresses: readonly string[],
  options: RpcOptions,
): Promise<readonly (ChainAccount | undefined)[]> {
  const config = { commitment: 'confirmed', encoding: 'base64' }
  const accounts = toList(at(await rpc('getMultipleAccounts', [addresses, config], options), 'value'), 'accounts')
  return addresses.map((_, index) => toAccount(accounts[index] ?? null))
}
/** Returns the same accounts as parsed by the node, for data that differs by program. */
export async function getParsedAccounts(
  rpc: Rpc,
  addresses: readonly string[],
  options: RpcOptions,
): Promise<readonly unknown[]> {
  const config = { commitment: 'confirmed', encoding: 'jsonParsed' }
  return toList(at(await rpc('getMultipleAccounts', [addresses, config], options), 'value'), 'accounts')
}
/** Returns a program's accounts that hold these bytes at this offset. */
export async function listProgramAccounts(
  rpc: Rpc,
  program: string,
  where: { readonly offset: number; readonly bytes: string },
  options: RpcOptions,
): Promise<readonly { readonly address: string; readonly account: ChainAccount }[]> {
  const config = { commitment: 'confirmed', encoding: 'base64', filters: [{ memcmp: where }] }
  const list = toList(await rpc('getProgramAccounts', [program, config], options), 'accounts')
  return list.flatMap(entry => {
    const account = toAccount(at(entry, 'account'))
    return account ? { address: toText(at(entry, 'pubkey'), 'pubkey'), account } : []
  })
}
/** Returns an owner's accounts of one token program, as parsed by the node. */
export async function getTokenAccountsByOwner(
  rpc: Rpc,
  owner: string,
  filter: { readonly programId: string } | { readonly mint: string },
  options: RpcOptions,
): Promise<readonly unknown[]> {
  const config = { commitment: 'confirmed', encoding: 'jsonParsed' }
  return toList(at(await rpc('getTokenAccountsByOwner', [owner, filter, config], options), 'value'), 'token accounts')
}

/** Returns recent fees of transactions that wrote these accounts, in micro-lamports per compute unit, oldest first. */
export async function getRecentPrioritizationFees(
  rpc: Rpc,
  addresses: readonly string[],
  options: RpcOptions,
): Promise<readonly bigint[]> {
  return toList(await rpc('getRecentPrioritizationFees', [addresses], options), 'fees').map(entry =>
    toBigint(at(entry, 'prioritizationFee'), 'fee'),
  )
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
    encoding: 'base64',
    commitment: 'confirmed',
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

export async function getLatestBlockhash(
  rpc: Rpc,
  commitment: Commitment,
  options: RpcOptions,
): Promise<LatestBlockhash> {
  return toBlockhash(at(await rpc('getLatestBlockhash', [{ commitment }], options), 'value'))
}

/** Returns lamports; undefined while the node knows no fee. */
export async function getFeeForMessage(
  rpc: Rpc,
  message: Uint8Array,
  commitment: Commitment,
  options: RpcOptions,
): Promise<bigint | undefined> {
  const value = at(await rpc('getFeeForMessage', [toBase64(message), { commitment }], options), 'value')
  return value === null ? undefined : toBigint(value, 'fee')
}

/** Returns the chain's genesis hash, as base58. */
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
  const config = { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 }
  return toLines(at(await rpc('getTransaction', [signature, config], options), 'meta', 'logMessages'))
}

/** Returns the responses of all nodes that responded. @throws the error of a node, if none responded */
function getAnswers(settled: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  const values = settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find(one => one.status === 'rejected')
  if (!values.length && failed) throw failed.reason
  return values
}
/** Returns the responses of all nodes. @throws the error of a node */
function allOf(settled: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return settled.map(one => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** Returns the status from any node that currently responds. */
export async function findSignatureStatus(
  rpc: Rpc,
  signature: string,
  options: RpcOptions,
): Promise<SignatureStatus | undefined> {
  return getAnswers(await rpc.all('getSignatureStatuses', [[signature]], options))
    .map(toStatus)
    .find(one => one !== undefined)
}

/**
 * Returns the status from any node, also of older transactions. @throws KeybayError if a node fails to respond, because it may
 * know more
 */
export async function findOldSignatureStatus(
  rpc: Rpc,
  signature: string,
  options: RpcOptions,
): Promise<SignatureStatus | undefined> {
  return allOf(await rpc.all('getSignatureStatuses', [[signature], { searchTransactionHistory: true }], options))
    .map(toStatus)
    .find(one => one !== undefined)
}

/** Returns the block height of every node. @throws KeybayError if a node fails to respond */
export async function getBlockHeights(
  rpc: Rpc,
  commitment: Commitment,
  options: RpcOptions,
): Promise<readonly number[]> {
  return allOf(await rpc.all('getBlockHeight', [{ commitment }], options)).map(height =>
    toNumber(height, 'block height'),
  )
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

export async function getBlockHeight(rpc: Rpc, commitment: Commitment, options: RpcOptions): Promise<number> {
  return toNumber(await rpc('getBlockHeight', [{ commitment }], options), 'block height')
}
