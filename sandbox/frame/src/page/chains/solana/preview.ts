/**
 * Asks the environment's node what a transaction would do, before the user decides. The node is not trusted: what it
 * says is shown apart from what the frame reads in the transaction itself, and no failure of it stops a question.
 */
import type { TransactionMessage } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { type Change, getChanges } from './changes.js'
import { getNetwork } from './networks.js'
import { accounts, type ChainAccount, createRpc, type Rpc, readTokenAccount, type TokenAccount } from './rpc.js'

/** Longest time that the user waits for the node, in ms. */
const PREVIEW_TIMEOUT_MS = 3_000
/** Most accounts that a node reads at once. */
const MAX_ACCOUNTS = 100

export type Outcome =
  /** The node did not answer in time, or answered something else. */
  | 'unknown'
  /** The node does not know the transaction's blockhash. */
  | 'elsewhere'
  | 'fails'
  | 'works'

export interface Preview {
  /** Name of the node's network; undefined if the node did not say. */
  readonly network: string | undefined
  readonly outcome: Outcome
  /** True if it fails because the wallet cannot pay the fee. */
  readonly isPoor: boolean
  /** Amounts that leave and reach the wallet's accounts. */
  readonly changes: readonly Change[]
  /** Accounts of the transaction as they are now; undefined if the node did not say. */
  readonly tokenAccounts: ReadonlyMap<string, TokenAccount | undefined> | undefined
}

const simulated = v.object({ value: v.object({ err: v.unknown(), accounts: v.nullish(accounts) }) })
const listed = v.object({ value: accounts })

/** Returns the accounts that the transaction names itself, the wallet's first. Lookup tables name others. */
function getAddresses({ signers, instructions }: TransactionMessage, wallet: string): readonly string[] {
  const all = [wallet, ...signers, ...instructions.flatMap(({ accounts }) => accounts)]
  return [...new Set(all)].filter(address => !address.includes('#')).slice(0, MAX_ACCOUNTS)
}

async function readAccounts(rpc: Rpc, addresses: readonly string[]): Promise<readonly ChainAccount[]> {
  const { value } = await rpc(
    'getMultipleAccounts',
    [addresses, { encoding: 'base64', commitment: 'confirmed' }],
    listed,
  )
  if (value.length !== addresses.length) throw new TypeError('The node answers for other accounts.')
  return value
}

/** Simulates the transaction as it is, so that a node of another network does not know its blockhash. */
async function simulate(rpc: Rpc, transaction: string, addresses: readonly string[]) {
  const config = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    accounts: { encoding: 'base64', addresses },
  }
  const { value } = await rpc('simulateTransaction', [transaction, config], simulated)
  const after = value.accounts ?? []
  if (value.err === null && after.length !== addresses.length) throw new TypeError('The node simulates other accounts.')
  return { error: value.err, after }
}

function getOutcome(error: unknown): Outcome {
  if (error === null) return 'works'
  return error === 'BlockhashNotFound' ? 'elsewhere' : 'fails'
}

export interface PreviewQuestion {
  readonly rpcUrl: string
  /** Base64, with or without signatures. */
  readonly encoded: string
  readonly parsed: TransactionMessage
  readonly wallet: string
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

/** Never throws, and takes no longer than the time-out. */
export async function getPreview(question: PreviewQuestion): Promise<Preview> {
  const { rpcUrl, encoded, parsed, wallet, signal, timeoutMs = PREVIEW_TIMEOUT_MS } = question
  const limit = AbortSignal.timeout(timeoutMs)
  const rpc = createRpc(rpcUrl, signal ? AbortSignal.any([signal, limit]) : limit)
  const addresses = getAddresses(parsed, wallet)
  const optional = <T>(promise: Promise<T>): Promise<T | undefined> => promise.catch(() => undefined)
  const [genesis, before, simulation] = await Promise.all([
    optional(rpc('getGenesisHash', [], v.string())),
    optional(readAccounts(rpc, addresses)),
    optional(simulate(rpc, encoded, addresses)),
  ])
  const changes =
    before && simulation?.error === null
      ? await optional(
          getChanges({ addresses, before, after: simulation.after, wallet }, mints => readAccounts(rpc, mints)),
        )
      : undefined
  const outcome = simulation ? getOutcome(simulation.error) : 'unknown'
  const byAddress = before?.map((account, index) => [addresses[index] ?? '', readTokenAccount(account)] as const)
  return {
    network: genesis === undefined ? undefined : getNetwork(genesis, rpcUrl),
    outcome: outcome === 'works' && !changes ? 'unknown' : outcome,
    isPoor: ['AccountNotFound', 'InsufficientFundsForFee'].some(error => error === simulation?.error),
    changes: changes ?? [],
    tokenAccounts: byAddress && new Map(byAddress),
  }
}
