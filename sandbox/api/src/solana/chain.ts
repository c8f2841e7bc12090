/** What the optimizer asks a Solana node, over plain JSON-RPC (S7.7). Answers are checked; addresses of nodes are in no error. */
import type { SolanaNetwork } from '@keybay/kernel/spec'
import { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import * as v from 'valibot'
import { ApiError, chainUnavailable } from '../http/errors.js'

/** Of one try at one node, ms. */
const PATIENCE = 5_000
/** What a node compares at most in getRecentPrioritizationFees. */
const MOST_WRITABLE = 128

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

/** A moment that no fork can undo any more. */
export interface Finalized {
  readonly slot: number
  readonly blockHeight: number
}

export interface SolanaChain {
  /** The answer of a trial run, over a fresh blockhash and without signatures. `error` as the chain puts it; null: it would land. */
  simulate(transaction: Uint8Array): Promise<{ readonly error: unknown; readonly units: number }>
  /** Micro-lamports per compute unit that were paid of late for writing to these, one for each block. */
  recentFees(writable: readonly string[]): Promise<readonly number[]>
  /** lamports; null when its blockhash has ended. */
  feeOf(message: Uint8Array): Promise<number | null>
  /** lamports */
  balanceOf(address: string): Promise<number>
  /** lamports that an account without data keeps at least. */
  rentExemption(): Promise<number>
  /** Of the newest block. */
  blockHeight(): Promise<number>
  finalized(): Promise<Finalized>
  /**
   * Which of these signatures are on the chain, failed ones too; 256 at most.
   *
   * @param slot a node that has not come as far is not believed: then undefined
   */
  landed(signatures: readonly string[], slot: number): Promise<readonly boolean[] | undefined>
  /** Undefined where there is no such table. */
  lookupTables(addresses: readonly string[]): Promise<readonly (AddressLookupTableAccount | undefined)[]>
  /** Test networks only. */
  airdrop(address: string, lamports: number): Promise<void>
}

type Ask = <S extends v.GenericSchema>(
  method: string,
  params: readonly unknown[],
  schema: S,
) => Promise<v.InferOutput<S>>

/** Each node of the network once, in their order. @throws ApiError `chain_unavailable` */
function asking(urls: readonly string[]): Ask {
  return async (method, params, schema) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    let refused: number | undefined
    for (const url of urls) {
      try {
        const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE) })
        const { result, error } = v.parse(answered, await response.json())
        if (!error) return v.parse(schema, result)
        refused = error.code
      } catch {
        // Down, slow, busy, or not making sense: the next one may do better.
      }
    }
    throw new ApiError(chainUnavailable, { method, ...(refused !== undefined && { rpcCode: refused }) })
  }
}

const CONFIRMED = { commitment: 'confirmed' } as const

export function chainOf({ rpcUrls, privateCustomerRpcUrls = [] }: SolanaNetwork): SolanaChain {
  const ask = asking([...privateCustomerRpcUrls, ...rpcUrls])
  return {
    async simulate(transaction) {
      const options = { ...CONFIRMED, encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true }
      const { value } = await ask(
        'simulateTransaction',
        [Buffer.from(transaction).toString('base64'), options],
        simulation,
      )
      return { error: value.err ?? null, units: value.unitsConsumed }
    },
    async recentFees(writable) {
      const answer = await ask('getRecentPrioritizationFees', [writable.slice(0, MOST_WRITABLE)], fees)
      return answer.map(({ prioritizationFee }) => prioritizationFee)
    },
    async feeOf(message) {
      const encoded = Buffer.from(message).toString('base64')
      return (await ask('getFeeForMessage', [encoded, CONFIRMED], inContext(v.nullable(count)))).value
    },
    balanceOf: async address => (await ask('getBalance', [address, CONFIRMED], inContext(count))).value,
    rentExemption: () => ask('getMinimumBalanceForRentExemption', [0], count),
    blockHeight: () => ask('getBlockHeight', [{ commitment: 'processed' }], count),
    async finalized() {
      const { absoluteSlot: slot, blockHeight } = await ask('getEpochInfo', [{ commitment: 'finalized' }], epoch)
      return { slot, blockHeight }
    },
    async landed(signatures, slot) {
      const options = { searchTransactionHistory: true }
      const { context, value } = await ask('getSignatureStatuses', [signatures, options], statuses)
      return context.slot < slot || value.length !== signatures.length
        ? undefined
        : value.map(status => status !== null)
    },
    async lookupTables(addresses) {
      if (!addresses.length) return []
      const { value } = await ask('getMultipleAccounts', [addresses, { ...CONFIRMED, encoding: 'base64' }], accounts)
      return addresses.map((address, index) => {
        const account = value[index]
        if (account?.owner !== LOOKUP_TABLES) return undefined
        const state = AddressLookupTableAccount.deserialize(Buffer.from(account.data[0], 'base64'))
        return new AddressLookupTableAccount({ key: new PublicKey(address), state })
      })
    },
    async airdrop(address, lamports) {
      await ask('requestAirdrop', [address, lamports], v.string())
    },
  }
}

const LOOKUP_TABLES = 'AddressLookupTab1e1111111111111111111111111'
