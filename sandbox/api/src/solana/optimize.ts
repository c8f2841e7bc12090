/** Adds a compute budget to an unsigned transaction (S7.1), and a sponsor as its fee payer if a policy allows it. */
import { SOLANA_MAINNET_ID, type SolanaNetwork, unsupportedChain } from '@keybay/kernel/spec'
import { getSite } from '@keybay/sandbox-service/http'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import bs58 from 'bs58'
import type { Environment } from '../environments.js'
import { ApiError, insufficientPrefund, transactionWouldFail } from '../http/errors.js'
import type { Services } from '../services.js'
import { chainOf, type SolanaChain } from './chain.js'
import {
  type Budget,
  compile,
  type Draft,
  getSigners,
  getWritable,
  readDraft,
  refuseTransaction,
  withBudget,
} from './draft.js'
import { checkSponsored, refuseSponsorship, type SponsorshipPolicy } from './policy.js'
import { release, type Spending, spend } from './spending.js'
import { ensureFunds, signAsSponsor, sponsorAddress } from './sponsor.js'

const MAX_UNITS = 1_400_000
/** Factor over the units of the simulation, because accounts may change before the transaction lands. */
const MARGIN = 1.2
const MICRO = 1_000_000
/** Units of the instruction that sets the price, which the simulation does not include. */
const PRICE_UNITS = 150

/** Blocks until a blockhash expires, doubled in case the queried node lags behind. */
const LIFE = 2 * 150

export interface OptimizeInput {
  readonly userId: string
  /** Network of the request. */
  readonly network: string
  readonly address: string
  readonly transaction: Buffer
  readonly networkId?: number | undefined
  readonly sponsor: boolean
}
type Parts = Pick<Services, 'db' | 'clock' | 'hashes' | 'envelope' | 'limits'>

/** @throws ApiError `unsupported_chain` */
function networkFor({ networks }: Environment, networkId: number | undefined): SolanaNetwork {
  const network =
    networkId === undefined
      ? (networks.find(network => network.networkId === SOLANA_MAINNET_ID) ?? networks[0])
      : networks.find(network => network.networkId === networkId)
  if (!network) throw new ApiError(unsupportedChain, networkId === undefined ? undefined : { networkId })
  return network
}

function percentile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * at) / 100))] ?? 0
}

/** Returns whether the chain's error means insufficient funds: of the payer before the run, or of a transfer within. */
function isShort(error: unknown, { instructions }: Draft): boolean {
  if (error === 'AccountNotFound' || error === 'InsufficientFundsForFee') return true
  if (typeof error !== 'object' || error === null) return false
  if ('InsufficientFundsForRent' in error) return true
  const [index, reason] =
    'InstructionError' in error && Array.isArray(error.InstructionError) ? error.InstructionError : []
  const custom = typeof reason === 'object' && reason !== null && 'Custom' in reason ? reason.Custom : undefined
  const program = typeof index === 'number' ? instructions[index]?.programId : undefined
  // 1 means insufficient funds in System and in both token programs.
  return (
    custom === 1 && program !== undefined && (program.equals(SystemProgram.programId) || TOKENS.has(program.toBase58()))
  )
}
const TOKENS: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])

/** @throws ApiError `transaction_would_fail`, `insufficient_prefund`, `chain_unavailable` */
async function measure(chain: SolanaChain, { transactions }: Environment, draft: Draft): Promise<Budget> {
  const trial = withBudget(draft, { limit: MAX_UNITS, price: 0 })
  const [{ error, units }, recent] = await Promise.all([
    chain.simulate(compile(trial).serialize()),
    chain.recentFees([draft.payer, ...getWritable(draft)]),
  ])
  if (error !== null) {
    if (isShort(error, trial)) throw new ApiError(insufficientPrefund)
    throw new ApiError(transactionWouldFail, { error })
  }
  const limit = Math.min(MAX_UNITS, Math.ceil((units + PRICE_UNITS) * MARGIN))
  const most = Math.floor((transactions.maxPriorityLamports * MICRO) / limit)
  return { limit, price: Math.min(percentile(recent, transactions.priorityPercentile), most) }
}

/** Counts the cost, if needed after releasing what never landed. @throws ApiError `no_gas_sponsoring_policy` */
async function count(parts: Parts, chain: SolanaChain, policy: SponsorshipPolicy, spending: Spending): Promise<void> {
  try {
    await spend(parts, policy, spending)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await release(parts, chain, spending)
    await spend(parts, policy, spending)
  }
}

/**
 * Returns the transaction, unsigned or signed by the sponsor alone.
 * @throws ApiError `unsupported_chain`, `invalid_transaction`, `transaction_would_fail`, `insufficient_prefund`,
 * `no_gas_sponsoring_policy`, `too_many_requests`, `chain_unavailable`
 */
export async function optimize(parts: Parts, environment: Environment, input: OptimizeInput): Promise<Uint8Array> {
  const network = networkFor(environment, input.networkId)
  const { sponsorship } = environment.transactions
  if (input.sponsor && !sponsorship) throw refuseSponsorship('not_enabled')
  const chain = chainOf(network)
  const draft = await readDraft(chain, input.transaction)
  if (!input.sponsor || !sponsorship) {
    if (draft.payer !== input.address && !getSigners(draft).has(input.address)) throw refuseTransaction('signer')
    return compile(withBudget(draft, await measure(chain, environment, draft))).serialize()
  }
  const payer = await sponsorAddress(parts, environment.id)
  checkSponsored(sponsorship, draft, input.address, payer)
  // Otherwise only the sponsor would have to sign.
  if (!getSigners(draft).has(input.address)) throw refuseTransaction('signer')
  const most = sponsorship.maxLamportsPerTransaction
  await ensureFunds(chain, payer, { most, hasFaucet: environment.kind === 'sandbox' && network.isTestnet })
  const paid = { ...draft, payer }
  const transaction = compile(withBudget(paid, await measure(chain, environment, paid)))
  const message = transaction.message.serialize()
  const [lamports, height] = await Promise.all([chain.getFee(message), chain.blockHeight()])
  if (lamports === null) throw refuseSponsorship('blockhash')
  if (lamports > most) throw refuseSponsorship('fee', { lamports, most })
  const expense = {
    name: 'sponsored lamports per site and day',
    who: getSite(input.network),
    amount: lamports,
    budget: { most: sponsorship.dailyLamportsPerSite },
  } as const
  await parts.limits.spend({ environment, network: input.network }, [expense])
  const signature = await signAsSponsor(parts, environment.id, message)
  // Count the cost before the signed transaction leaves this service.
  await count(parts, chain, sponsorship, {
    environmentId: environment.id,
    userId: input.userId,
    signature: bs58.encode(signature),
    lamports,
    networkId: network.networkId,
    lastBlockHeight: height + LIFE,
  })
  transaction.addSignature(new PublicKey(payer), signature)
  return transaction.serialize()
}
