/** Step 1: builds the bytes and simulates them on the chain before signing. */
import type { Clock } from '@keybay/kernel'
import { toBase64, toKeybayError } from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { rpcMalformed, rpcRefused } from '../errors.js'
import type { Instruction } from '../instruction.js'
import { COMPUTE_BUDGET_PROGRAM } from '../programs/addresses.js'
import { computeUnitLimit, computeUnitPrice } from '../programs/instructions.js'
import { getLatestBlockhash, type SimulationAnswer, simulateTransaction } from '../rpc/calls.js'
import type { BuiltTransaction, CallOptions, PreviewOptions, SendInput, Transfer, Trial } from '../steps.js'
import { compile, fit } from './compile.js'
import { noteCost } from './fee.js'
import { getOrder, MAX_UNITS } from './order.js'
import { type Plan, planTransaction } from './plan.js'
import { getLamports, lookUpPrice, type PriceFor, type RecentFees } from './priority.js'
import { decodeFailure } from './reason.js'

/** Placeholder for the blockhash; the simulation uses and returns the newest one. */
const PLACEHOLDER = '11111111111111111111111111111111'
/** Chain default per instruction without a limit. */
const UNITS_PER_INSTRUCTION = 200_000
/** Adds a fifth, because the state may change, and the cost of the limit and price instructions. */
function withMargin(units: number): number {
  return Math.min(Math.ceil(units * 1.2) + 300, MAX_UNITS)
}
/**
 * Counts how often these bytes were built for signing: the chain treats equal bytes as one transaction.
 * @param preview true does not increase the count
 */
export type CountSame = (bytes: Uint8Array, preview: boolean) => number

/** Exceeds the 150 blocks for which a blockhash is valid, in ms. */
const LIFE_MS = 180_000

export function createSameness(clock: Clock): CountSame {
  const counts = new Map<string, number>()
  return (bytes, preview) => {
    const key = toBase64(bytes)
    const before = counts.get(key) ?? 0
    if (preview) return before
    counts.set(key, before + 1)
    if (!before) clock.after(LIFE_MS, () => counts.delete(key))
    return before
  }
}

export interface Memory {
  readonly countSame: CountSame
  readonly recentFees: RecentFees
}

interface Budget {
  readonly units: number | undefined
  readonly price: bigint | undefined
}

function withBudget({ lead, instructions }: Plan, { units, price }: Budget): readonly Instruction[] {
  return [
    ...lead,
    ...(units === undefined ? [] : [computeUnitLimit(units)]),
    ...(price === undefined ? [] : [computeUnitPrice(price)]),
    ...instructions,
  ]
}
/** Undefined if the node can't simulate or its response is invalid; the preflight then checks the transaction. */
async function tryOut(
  { rpc }: Client,
  transaction: Uint8Array,
  replaceBlockhash: boolean,
  { signal }: CallOptions,
): Promise<SimulationAnswer | undefined> {
  try {
    return await simulateTransaction(rpc, transaction, { replaceBlockhash, signal })
  } catch (thrown) {
    const error = toKeybayError(thrown)
    if (error.code === rpcRefused.code || error.code === rpcMalformed.code) return undefined
    throw error
  }
}
/** Returns the compute budget of the final bytes. Sets a limit only with a price, or if the app requests one. */
function budgetFor(
  { computeUnits }: SendInput,
  plan: Plan,
  price: PriceFor | undefined,
  trial: SimulationAnswer | undefined,
): Budget {
  if (!price) return { units: computeUnits, price: undefined }
  const measured =
    trial?.failure === null
      ? withMargin(trial.units)
      : Math.min(plan.instructions.length * UNITS_PER_INSTRUCTION, MAX_UNITS)
  const units = computeUnits ?? measured
  return { units, price: price(units) }
}

function getTrial(instructions: readonly Instruction[], { units, failure, logs }: SimulationAnswer): Trial {
  return {
    units,
    failure:
      failure === null
        ? undefined
        : decodeFailure(
            failure,
            instructions.map(({ program }) => program),
            logs,
          ),
    logs,
  }
}

function getTransfer({ transfers }: Plan, { memo }: SendInput): Transfer | undefined {
  const [only, ...others] = transfers
  return only && !only.token && !others.length ? { to: only.to, lamports: only.amount, memo } : undefined
}
/** @throws KeybayError the errors of `planTransaction`; `invalid_transaction`: too large */
export async function buildTransaction(
  client: Client,
  input: SendInput,
  from: string,
  { countSame, recentFees }: Memory,
  options: PreviewOptions,
): Promise<BuiltTransaction> {
  const order = getOrder(input)
  const plan = await planTransaction(client, input, order, from, options)
  const { priority = 'none' } = input
  // Same size as the final transaction, but with no price: the fee would be charged for the whole maximum limit.
  const first: Budget =
    priority !== 'none'
      ? { units: input.computeUnits ?? MAX_UNITS, price: 0n }
      : { units: input.computeUnits, price: undefined }
  const draft = await fit(client, plan, withBudget(plan, first), input, options)
  const { nonce } = plan
  // Independent of each other, so they run in parallel.
  const [price, answer] = await Promise.all([
    lookUpPrice(client, recentFees, priority, plan.instructions, options),
    tryOut(client, compile(draft, nonce?.value ?? PLACEHOLDER), !nonce, options),
  ])
  const fresh = nonce
    ? { blockhash: nonce.value, lastValidBlockHeight: undefined }
    : (answer?.blockhash ?? (await getLatestBlockhash(client.rpc, options)))
  const budget = budgetFor(input, plan, price, answer)
  const compileWith = (budget: Budget) => compile({ ...draft, instructions: withBudget(plan, budget) }, fresh.blockhash)
  const plain = compileWith(budget)
  const same = countSame(plain, options.preview ?? false)
  const units = (budget.units ?? UNITS_PER_INSTRUCTION) + same
  const transaction = same ? compileWith({ ...budget, units }) : plain
  // If the app's own instructions set a budget, only the chain can compute the cost.
  if (answer && !plan.instructions.some(({ program }) => program === COMPUTE_BUDGET_PROGRAM))
    noteCost(transaction, answer, budget.price === undefined ? 0n : getLamports(budget.price, units))
  return {
    networkId: client.record.networkId,
    from,
    transaction,
    lastValidBlockHeight: fresh.lastValidBlockHeight,
    transfer: getTransfer(plan, input),
    transfers: plan.transfers,
    nonce,
    trial: answer && getTrial(draft.instructions, answer),
  }
}
