/** Loads the chain's data about an address, and its latest transactions. */
import { at, list, number, text } from '../chain/json.js'
import { callChain } from '../chain/rpc.js'
import { loadTransaction } from './transaction.js'

export interface ChainAccount {
  readonly exists: boolean
  /** lamports */
  readonly balance: number
  /** Program that owns the account. */
  readonly owner: string | undefined
  readonly isProgram: boolean
  /** bytes */
  readonly space: number
}
export interface HistoryEntry {
  readonly signature: string
  readonly slot: number
  /** ms since epoch */
  readonly time: number | undefined
  readonly failed: boolean
  readonly memo: string | undefined
  /** Change of the address's balance, in lamports. */
  readonly change: number | undefined
}

/** @throws ChainError */
export async function loadAccount(url: string, address: string, signal: AbortSignal): Promise<ChainAccount> {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
  const account = at(await callChain(url, 'getAccountInfo', [address, options], signal), 'value')
  return {
    exists: account !== null && account !== undefined,
    balance: number(at(account, 'lamports')) ?? 0,
    owner: text(at(account, 'owner')),
    isProgram: at(account, 'executable') === true,
    space: number(at(account, 'space')) ?? 0,
  }
}

/** Cache of values that never change: `${url} ${address} ${signature}` → lamports. */
const changes = new Map<string, number>()

async function loadChange(
  url: string,
  address: string,
  signature: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const key = `${url} ${address} ${signature}`
  const known = changes.get(key)
  if (known !== undefined) return known
  const transaction = await loadTransaction(url, signature, signal)
  const own = transaction?.changes.find(change => change.address === address)
  if (own) changes.set(key, own.after - own.before)
  return own && own.after - own.before
}

/** Returns transactions, newest first. @throws ChainError */
export async function loadHistory(
  url: string,
  address: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly HistoryEntry[]> {
  const found = await callChain(url, 'getSignaturesForAddress', [address, { limit, commitment: 'confirmed' }], signal)
  const read = async (entry: unknown): Promise<HistoryEntry> => {
    const seconds = number(at(entry, 'blockTime'))
    const signature = text(at(entry, 'signature')) ?? ''
    return {
      signature,
      change: await loadChange(url, address, signature, signal),
      slot: number(at(entry, 'slot')) ?? 0,
      time: seconds === undefined ? undefined : seconds * 1000,
      failed: (at(entry, 'err') ?? null) !== null,
      memo: text(at(entry, 'memo')),
    }
  }
  return Promise.all(list(found).map(read))
}
