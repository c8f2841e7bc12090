/**
 * Decides whether a hidden frame may sign without the user: only what a policy allows that the user agreed to in this
 * browser. Relays decide too, but the frame does not rely on them. What this code cannot count, the user is asked about.
 */
import type { Policy } from '@keybay/waas/protocol'
import type { Instruction, PolicyReason, TransactionMessage } from '@keybay/waas/relay-client'
import type { Agreement } from '../../store/share-store.js'
import { getFee, getRent } from './costs.js'
import { readSolTransfer } from './destinations.js'
import { COMPUTE_BUDGET, MEMO, TOKEN } from './programs.js'
import { isTo, type Opening, readOpening, readTransfer, type TokenTransfer } from './tokens.js'

const HOUR_MS = 3_600_000
/** Lengths of the compute budget's instructions. The chain reads a longer one too, so such a price must not go uncounted. */
const BUDGET_LENGTHS: readonly (number | undefined)[] = [undefined, 5, 5, 9, 5]
/** Current hour and the 24 before it, as the relays count. */
const HOURS = 25
const SOL = 'SOL'
/** Wrapped SOL, which a transfer of tokens moves outside the limits. */
const NATIVE_MINTS: ReadonlySet<string> = new Set([
  'So11111111111111111111111111111111111111112',
  '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9',
])

export interface Unasked {
  /** Undefined: a readable message, which is for no other site. */
  readonly transaction: TransactionMessage | undefined
  readonly address: string
  readonly hostOrigin: string
  /** ms since epoch */
  readonly now: number
}

interface Effect {
  readonly lamports: bigint
  readonly to?: string | undefined
  readonly transfer?: TokenTransfer
  readonly opening?: Opening
}

/** Returns undefined for an instruction whose effect is unknown. */
function getEffect(instruction: Instruction, wallet: string): Effect | undefined {
  const { programId, data } = instruction
  const sol = readSolTransfer(instruction)
  const transfer = readTransfer(instruction)
  const opening = readOpening(instruction)
  const isCounted = programId === COMPUTE_BUDGET && BUDGET_LENGTHS[data[0] ?? 0] === data.length
  if (isCounted || MEMO.has(programId)) return { lamports: 0n }
  if (sol) return { lamports: sol.from === wallet ? sol.lamports : 0n, to: sol.to }
  if (transfer && !NATIVE_MINTS.has(transfer.mint)) return { lamports: 0n, to: transfer.to, transfer }
  if (!opening || !TOKEN.has(opening.program)) return undefined
  return { lamports: opening.payer === wallet ? getRent(opening) : 0n, to: opening.owner, opening }
}

/** SOL or mint → lamports or the token's smallest unit. */
type Amounts = Map<string, bigint>

/**
 * Adds what a transaction sends of the tokens of a grant. Returns false if it sends any other token, is signed for by
 * others too, or creates a token account that gets none of them.
 */
function addTokens(amounts: Amounts, { tokens = [] }: Policy, effects: readonly Effect[], wallet: string): boolean {
  for (const { transfer } of effects) {
    if (!transfer) continue
    const { mint, decimals, amount, authority } = transfer
    if (authority !== wallet || !tokens.some(token => token.mint === mint && token.decimals === decimals)) return false
    amounts.set(mint, (amounts.get(mint) ?? 0n) + amount)
  }
  return effects.every(({ opening }) => !opening || effects.some(({ transfer }) => transfer && isTo(opening, transfer)))
}

/** Returns the most that a transaction costs the wallet; undefined if the policy does not list all of it. */
function getCost(policy: Policy, transaction: TransactionMessage, wallet: string): Amounts | undefined {
  let lamports = transaction.signers[0] === wallet ? getFee(transaction) : 0n
  const effects: Effect[] = []
  for (const instruction of transaction.instructions) {
    const { programId, data } = instruction
    const rule = policy.programs.find(listed => listed.programId === programId)
    const start = Array.from(data.subarray(0, 32), byte => byte.toString(16).padStart(2, '0')).join('')
    if (!rule || rule.instructions?.some(prefix => start.startsWith(prefix)) === false) return undefined
    const effect = getEffect(instruction, wallet) ?? (rule.uncapped ? { lamports: 0n } : undefined)
    if (!effect || (effect.to !== undefined && policy.destinations?.includes(effect.to) === false)) return undefined
    lamports += effect.lamports
    effects.push(effect)
  }
  const amounts: Amounts = new Map([[SOL, lamports]])
  return !policy.otherwise || addTokens(amounts, policy, effects, wallet) ? amounts : undefined
}

/** Returns the amounts of the last 24 hours with those of a transaction, or the limit that it would exceed. */
function count({ policy, spent }: Agreement, amounts: Amounts, now: number): Agreement | PolicyReason {
  const hour = Math.floor(now / HOUR_MS)
  const recent = Object.entries(spent).filter(([key]) => Number.parseInt(key, 10) > hour - HOURS)
  const next = Object.fromEntries(recent)
  for (const [asset, amount] of amounts) {
    const before = recent.filter(([key]) => (key.split(' ')[1] ?? SOL) === asset)
    const wanted = before.reduce((sum, [, past]) => sum + past, amount)
    const token = policy.tokens?.find(({ mint }) => mint === asset)
    const limit = asset === SOL ? policy.dailyLimit : token?.dailyLimit
    const rule = token ? { rule: 'token-limit', address: asset, decimals: token.decimals } : { rule: 'daily-limit' }
    if (limit !== undefined && wanted > limit) return { ...rule, limit: `${limit}`, wanted: `${wanted}` }
    const key = asset === SOL ? `${hour}` : `${hour} ${asset}`
    next[key] = (next[key] ?? 0n) + amount
  }
  return { policy, spent: next }
}

/** Returns what to count for a signature without the user, or why the user is asked; undefined: for no limit. */
export function decideUnasked(
  agreement: Agreement | undefined,
  { transaction, address, hostOrigin, now }: Unasked,
): Agreement | PolicyReason | undefined {
  if (!agreement) return undefined
  const { policy } = agreement
  const { origin = hostOrigin, expiresAt = now + 1, transactionLimit } = policy
  if (origin !== hostOrigin || expiresAt <= now) return undefined
  if (!transaction) return policy.messages ? agreement : undefined
  const amounts = transaction.usesLookupTables ? undefined : getCost(policy, transaction, address)
  const lamports = amounts?.get(SOL)
  if (!amounts || lamports === undefined) return undefined
  if (transactionLimit !== undefined && lamports > transactionLimit)
    return { rule: 'transaction-limit', limit: `${transactionLimit}`, wanted: `${lamports}` }
  return count(agreement, amounts, now)
}
