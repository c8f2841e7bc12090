/** Transactions of an address, newest first, with what each one moved for it. */
import { addressInvalid, KeybayError } from '@keybay/kernel/spec'
import { isAddress } from './address.js'
import type { Client } from './client.js'
import { readMemo } from './memo.js'
import { at, toBigint, toList, toNumber, toText } from './rpc/read.js'
import { getParsedTransaction, getSignatures } from './rpc/sent.js'
import type { HistoryEntry, HistoryMovement, HistoryOptions, TokenMovement } from './steps.js'

const DEFAULT_LIMIT = 25
/** Movements never change. The oldest are forgotten beyond this number. */
const MAX_KNOWN = 500

function toAmount(balance: unknown): bigint {
  return balance === undefined ? 0n : toBigint(at(balance, 'uiTokenAmount', 'amount'), 'amount')
}

/** Returns the token accounts whose amount changed. An account that is missing before or after had nothing. */
function readTokens(meta: unknown, keys: readonly string[], address: string): readonly TokenMovement[] {
  const before = toList(at(meta, 'preTokenBalances') ?? [], 'preTokenBalances')
  const after = toList(at(meta, 'postTokenBalances') ?? [], 'postTokenBalances')
  const byIndex = new Map([...before, ...after].map(balance => [at(balance, 'accountIndex'), balance]))
  return [...byIndex].flatMap(([index, balance]) => {
    const account = keys[toNumber(index, 'accountIndex')] ?? ''
    if (at(balance, 'owner') !== address && account !== address) return []
    const find = (balances: readonly unknown[]) => balances.find(other => at(other, 'accountIndex') === index)
    const amount = toAmount(find(after)) - toAmount(find(before))
    if (amount === 0n) return []
    const mint = toText(at(balance, 'mint'), 'mint')
    return [{ account, mint, decimals: toNumber(at(balance, 'uiTokenAmount', 'decimals'), 'decimals'), amount }]
  })
}

/** @param transaction jsonParsed. @throws KeybayError `rpc_malformed` */
function readMovement(transaction: unknown, address: string): HistoryMovement {
  const meta = at(transaction, 'meta')
  const accounts = toList(at(transaction, 'transaction', 'message', 'accountKeys'), 'accountKeys')
  const keys = accounts.map(key => toText(at(key, 'pubkey'), 'pubkey'))
  const index = keys.indexOf(address)
  const balance = (name: string) => (index < 0 ? 0n : toBigint(at(meta, name, index), name))
  return { lamports: balance('postBalances') - balance('preBalances'), tokens: readTokens(meta, keys, address) }
}

/** Reads histories; keeps what it has read. */
export interface Histories {
  /** @throws KeybayError `address_invalid` */
  get(client: Client, address: string, options: HistoryOptions): Promise<readonly HistoryEntry[]>
}

export function createHistories(): Histories {
  const known = new Map<string, HistoryMovement>()
  const readOne = async ({ record, rpc }: Client, address: string, signature: string, options: HistoryOptions) => {
    const key = `${record.networkId} ${address} ${signature}`
    const found = known.get(key)
    if (found) return found
    const transaction = await getParsedTransaction(rpc, signature, options)
    if (transaction === null) return undefined
    const movement = readMovement(transaction, address)
    known.set(key, movement)
    const [oldest] = known.keys()
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    return movement
  }
  return {
    async get(client, address, options) {
      if (!isAddress(address)) throw new KeybayError(addressInvalid)
      const entries = await getSignatures(client.rpc, address, { limit: DEFAULT_LIMIT, ...options })
      return Promise.all(
        entries.map(async ({ memo, ...entry }) => ({
          ...entry,
          memo: memo === undefined ? undefined : readMemo(memo),
          movement: await readOne(client, address, entry.signature, options),
        })),
      )
    },
  }
}
