/** The chain calls of S7.7 that Keybay makes, each with its answer checked. */
import { toBase64 } from '../base64.js'
import type { Commitment } from '../steps.js'
import type { Rpc, RpcOptions } from './http.js'
import { at, toBigint, toList, toNumber, toText } from './read.js'

export interface Balance {
  /** lamports */
  readonly lamports: bigint
  /** The slot it was true in. */
  readonly slot: number
}
export const getBalance = async (
  rpc: Rpc,
  address: string,
  commitment: Commitment,
  options: RpcOptions,
): Promise<Balance> => {
  const answer = await rpc('getBalance', [address, { commitment }], options)
  return {
    lamports: toBigint(at(answer, 'value'), 'balance'),
    slot: toNumber(at(answer, 'context', 'slot'), 'slot'),
  }
}

/** The lamports of each account, undefined for one that does not exist. */
export const getLamports = async (
  rpc: Rpc,
  addresses: readonly string[],
  commitment: Commitment,
  options: RpcOptions,
): Promise<readonly (bigint | undefined)[]> => {
  const config = { commitment, encoding: 'base64', dataSlice: { offset: 0, length: 0 } }
  const accounts = toList(at(await rpc('getMultipleAccounts', [addresses, config], options), 'value'), 'accounts')
  return addresses.map((_, index) => {
    const account = accounts[index]
    return account === null ? undefined : toBigint(at(account, 'lamports'), 'lamports')
  })
}

export interface LatestBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: number
}
export const getLatestBlockhash = async (
  rpc: Rpc,
  commitment: Commitment,
  options: RpcOptions,
): Promise<LatestBlockhash> => {
  const value = at(await rpc('getLatestBlockhash', [{ commitment }], options), 'value')
  return {
    blockhash: toText(at(value, 'blockhash'), 'blockhash'),
    lastValidBlockHeight: toNumber(at(value, 'lastValidBlockHeight'), 'lastValidBlockHeight'),
  }
}

/** lamports; undefined while the node knows none. */
export const getFeeForMessage = async (
  rpc: Rpc,
  message: Uint8Array,
  commitment: Commitment,
  options: RpcOptions,
): Promise<bigint | undefined> => {
  const value = at(await rpc('getFeeForMessage', [toBase64(message), { commitment }], options), 'value')
  return value === null ? undefined : toBigint(value, 'fee')
}

/** What an account without data must hold to be kept, lamports. */
export const getRentExemption = async (rpc: Rpc, options: RpcOptions): Promise<bigint> =>
  toBigint(await rpc('getMinimumBalanceForRentExemption', [0], options), 'rent')

/** @returns the signature, base58 */
export const requestAirdrop = async (
  rpc: Rpc,
  address: string,
  lamports: number,
  commitment: Commitment,
  options: RpcOptions,
): Promise<string> =>
  toText(await rpc('requestAirdrop', [address, lamports, { commitment }], { ...options, once: true }), 'signature')

/** The same signed bytes may go out any number of times: the chain takes them once. */
export const sendRawTransaction = async (
  rpc: Rpc,
  transaction: Uint8Array,
  commitment: Commitment,
  options: RpcOptions & { readonly skipPreflight?: boolean },
): Promise<string> => {
  const { skipPreflight = false } = options
  const config = { encoding: 'base64', preflightCommitment: commitment, skipPreflight }
  return toText(await rpc('sendTransaction', [toBase64(transaction), config], options), 'signature')
}

export interface SignatureStatus {
  readonly slot: number
  /** The chain's own description of the failure; null: it succeeded. */
  readonly failure: unknown
  readonly commitment: unknown
}
/** Undefined: the node has not seen it. `everywhere` also looks at what is no longer recent. */
export const getSignatureStatus = async (
  rpc: Rpc,
  signature: string,
  everywhere: boolean,
  options: RpcOptions,
): Promise<SignatureStatus | undefined> => {
  const answer = await rpc('getSignatureStatuses', [[signature], { searchTransactionHistory: everywhere }], options)
  const status = toList(at(answer, 'value'), 'statuses')[0]
  if (status === null) return undefined
  return {
    slot: toNumber(at(status, 'slot'), 'slot'),
    failure: at(status, 'err') ?? null,
    commitment: at(status, 'confirmationStatus') ?? 'finalized',
  }
}

export const getBlockHeight = async (rpc: Rpc, commitment: Commitment, options: RpcOptions): Promise<number> =>
  toNumber(await rpc('getBlockHeight', [{ commitment }], options), 'block height')
