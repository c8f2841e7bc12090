/** Chain calls of S7.7 that Keybay makes before a transaction is sent; each checks its response. */
import { toBase64 } from '@keybay/kernel/spec'
import type { ChainAccount } from '../programs/token.js'
import type { Commitment } from '../steps.js'
import type { Rpc, RpcOptions } from './http.js'
import { at, malformed, toBigint, toBytes, toList, toNumber, toText } from './read.js'

export interface Balance {
  /** lamports */
  readonly lamports: bigint
  /** Slot of the balance. */
  readonly slot: number
}
export const CONFIRMED = { commitment: 'confirmed' }

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
