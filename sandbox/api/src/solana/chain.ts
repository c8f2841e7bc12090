/** Solana node client of the optimizer (S7.7). Checks responses, and keeps node addresses out of errors. */
import { type SolanaNetwork, unableToFetchBalances } from '@keybay/kernel/spec'
import { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import * as v from 'valibot'
import { ApiError, chainUnavailable } from '../http/errors.js'

const TIMEOUT_MS = 5_000
/** Maximum number of accounts that a node compares in getRecentPrioritizationFees. */
const MAX_WRITABLE = 128

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const answered = v.object({ result: v.unknown(), error: v.optional(v.object({ code: v.number() })) })

function inContext<S extends v.GenericSchema>(value: S) {
  return v.object({ value })
}

const simulation = inContext(v.object({ err: v.unknown(), unitsConsumed: v.optional(count, 0) }))
const fees = v.array(v.object({ prioritizationFee: count }))
const accounts = inContext(
  v.array(v.nullable(v.object({ data: v.tuple([v.string(), v.literal('base64')]), owner: v.string() }))),
)

const epoch = v.object({ absoluteSlot: count, blockHeight: count })
const statuses = v.object({ context: v.object({ slot: count }), value: v.array(v.nullable(v.object({ slot: count }))) })

type Ask = <S extends v.GenericSchema>(
  method: string,
  params: readonly unknown[],
  schema: S,
) => Promise<v.InferOutput<S>>

/** Tries each node of the network once, in order. @throws ApiError `chain_unavailable` */
function asking(urls: readonly string[]): Ask {
  return async (method, params, schema) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    let refused: number | undefined
    for (const url of urls) {
      try {
        const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
        const { result, error } = v.parse(answered, await response.json())
        if (!error) return v.parse(schema, result)
        refused = error.code
      } catch {
        // The node is down, slow, busy or wrong: try the next one.
      }
    }
    throw new ApiError(chainUnavailable, { method, ...(refused !== undefined && { rpcCode: refused }) })
  }
}

const CONFIRMED = { commitment: 'confirmed' } as const

/** Returns a client; amounts are in lamports. */
export function chainOf({ rpcUrls, privateCustomerRpcUrls = [] }: SolanaNetwork) {
  const ask = asking([...privateCustomerRpcUrls, ...rpcUrls])
  return {
    /** Simulates over a fresh blockhash, without signatures. `error` is null if the transaction would land. */
    async simulate(transaction: Uint8Array) {
      const options = { ...CONFIRMED, encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true }
      const { value } = await ask(
        'simulateTransaction',
        [Buffer.from(transaction).toString('base64'), options],
        simulation,
      )
      return { error: value.err ?? null, units: value.unitsConsumed }
    },
    /** Returns recent priority fees of these accounts, one per block, in micro-lamports per compute unit. */
    async recentFees(writable: readonly string[]) {
      const answer = await ask('getRecentPrioritizationFees', [writable.slice(0, MAX_WRITABLE)], fees)
      return answer.map(({ prioritizationFee }) => prioritizationFee)
    },
    /** Returns null if the blockhash has expired. */
    async getFee(message: Uint8Array) {
      const encoded = Buffer.from(message).toString('base64')
      return (await ask('getFeeForMessage', [encoded, CONFIRMED], inContext(v.nullable(count)))).value
    },
    /** @throws ApiError `unable_to_fetch_balances` */
    async readBalance(address: string) {
      const { value } = await ask('getBalance', [address, CONFIRMED], inContext(count)).catch(() => {
        throw new ApiError(unableToFetchBalances)
      })
      return value
    },
    /** Returns the minimum balance of an account without data. */
    rentExemption: () => ask('getMinimumBalanceForRentExemption', [0], count),
    blockHeight: () => ask('getBlockHeight', [{ commitment: 'processed' }], count),
    /** Returns the newest point in the chain that no fork can undo. */
    async finalized() {
      const { absoluteSlot: slot, blockHeight } = await ask('getEpochInfo', [{ commitment: 'finalized' }], epoch)
      return { slot, blockHeight }
    },
    /** Returns which signatures are on the chain, also failed ones; at most 256. Undefined if the node is behind `slot`. */
    async landed(signatures: readonly string[], slot: number) {
      const options = { searchTransactionHistory: true }
      const { context, value } = await ask('getSignatureStatuses', [signatures, options], statuses)
      return context.slot < slot || value.length !== signatures.length
        ? undefined
        : value.map(status => status !== null)
    },
    /** Returns the tables, each undefined if it does not exist. */
    async lookupTables(addresses: readonly string[]) {
      if (!addresses.length) return []
      const { value } = await ask('getMultipleAccounts', [addresses, { ...CONFIRMED, encoding: 'base64' }], accounts)
      return addresses.map((address, index) => {
        const account = value[index]
        if (account?.owner !== LOOKUP_TABLES) return undefined
        const state = AddressLookupTableAccount.deserialize(Buffer.from(account.data[0], 'base64'))
        return new AddressLookupTableAccount({ key: new PublicKey(address), state })
      })
    },
    async airdrop(address: string, lamports: number) {
      await ask('requestAirdrop', [address, lamports], v.string())
    },
  }
}

export type SolanaChain = ReturnType<typeof chainOf>

const LOOKUP_TABLES = 'AddressLookupTab1e1111111111111111111111111'
