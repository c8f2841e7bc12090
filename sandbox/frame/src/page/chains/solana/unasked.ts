/**
 * Decides whether a hidden frame may sign without the user: only what a policy allows that the user agreed to in this
 * browser. Relays decide too, but the frame does not rely on them. What this code cannot count, the user is asked about.
 */
import type { Policy } from '@keybay/waas/protocol'
import type { Instruction, PolicyReason, TransactionMessage } from '@keybay/waas/relay-client'
import type { Agreement } from '../../store/share-store.js'
import { COMPUTE_BUDGET, MEMO, SYSTEM, TOKEN } from './programs.js'

const LAMPORTS_PER_SIGNATURE = 5_000n
const UNITS_PER_INSTRUCTION = 200_000
const MAX_UNITS = 1_400_000
const MICRO = 1_000_000n
const HOUR_MS = 3_600_000
/** Lengths of the compute budget's instructions. The chain reads a longer one too, so such a price must not go uncounted. */
const BUDGET_LENGTHS: readonly (number | undefined)[] = [undefined, 5, 5, 9, 5]
/** Current hour and the 24 before it, as the relays count. */
const HOURS = 25
/** Wrapped SOL, which a transfer of tokens moves outside the limits. */
const NATIVE_MINTS = /^(So1{39}2|9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9)$/

export interface Unasked {
  /** Undefined: a readable message, which is for no other site. */
  readonly transaction: TransactionMessage | undefined
  readonly address: string
  readonly hostOrigin: string
  /** ms since epoch */
  readonly now: number
}

function view({ data }: Instruction): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}

interface Effect {
  readonly lamports: bigint
  readonly to?: string | undefined
}

/** Returns undefined for an instruction whose effect is unknown. */
function getEffect(instruction: Instruction, wallet: string): Effect | undefined {
  const { programId, accounts, data } = instruction
  const [from, second, third] = accounts
  const isCounted = programId === COMPUTE_BUDGET && BUDGET_LENGTHS[data[0] ?? 0] === data.length
  if (isCounted || MEMO.has(programId)) return { lamports: 0n }
  if (programId === SYSTEM && data.length === 12 && view(instruction).getUint32(0, true) === 2)
    return { lamports: from === wallet ? view(instruction).getBigUint64(4, true) : 0n, to: second }
  if (TOKEN.has(programId) && data.length === 10 && data[0] === 12 && !NATIVE_MINTS.test(second ?? ''))
    return { lamports: 0n, to: third }
  return undefined
}

function getFee({ signers, instructions }: TransactionMessage): bigint {
  let units = Math.min(UNITS_PER_INSTRUCTION * instructions.length, MAX_UNITS)
  let price = 0n
  for (const instruction of instructions) {
    const { programId, data } = instruction
    if (programId !== COMPUTE_BUDGET) continue
    if (data[0] === 2 && data.length === 5) units = Math.min(view(instruction).getUint32(1, true), MAX_UNITS)
    if (data[0] === 3 && data.length === 9) price = view(instruction).getBigUint64(1, true)
  }
  return LAMPORTS_PER_SIGNATURE * BigInt(signers.length) + (price * BigInt(units) + MICRO - 1n) / MICRO
}

/** Returns the most that a transaction costs the wallet, in lamports; undefined if the policy does not list all of it. */
function getCost(policy: Policy, transaction: TransactionMessage, wallet: string): bigint | undefined {
  let lamports = transaction.signers[0] === wallet ? getFee(transaction) : 0n
  for (const instruction of transaction.instructions) {
    const { programId, data } = instruction
    const rule = policy.programs.find(listed => listed.programId === programId)
    const start = Array.from(data.subarray(0, 32), byte => byte.toString(16).padStart(2, '0')).join('')
    if (!rule || rule.instructions?.some(prefix => start.startsWith(prefix)) === false) return undefined
    const effect = getEffect(instruction, wallet) ?? (rule.uncapped ? { lamports: 0n } : undefined)
    if (!effect || (effect.to !== undefined && policy.destinations?.includes(effect.to) === false)) return undefined
    lamports += effect.lamports
  }
  return lamports
}

/** Returns what to count for a signature without the user, or why the user is asked; undefined: for no limit. */
export function decideUnasked(
  agreement: Agreement | undefined,
  { transaction, address, hostOrigin, now }: Unasked,
): Agreement | PolicyReason | undefined {
  if (!agreement) return undefined
  const { policy, spent } = agreement
  const { origin = hostOrigin, expiresAt = now + 1, dailyLimit, transactionLimit } = policy
  if (origin !== hostOrigin || expiresAt <= now) return undefined
  if (!transaction) return policy.messages ? agreement : undefined
  const lamports = transaction.usesLookupTables ? undefined : getCost(policy, transaction, address)
  if (lamports === undefined) return undefined
  const hour = Math.floor(now / HOUR_MS)
  const recent = Object.fromEntries(Object.entries(spent).filter(([at]) => Number(at) > hour - HOURS))
  const total = Object.values(recent).reduce((sum, amount) => sum + amount, lamports)
  if (transactionLimit !== undefined && lamports > transactionLimit)
    return { rule: 'transaction-limit', limit: `${transactionLimit}`, wanted: `${lamports}` }
  if (dailyLimit !== undefined && total > dailyLimit)
    return { rule: 'daily-limit', limit: `${dailyLimit}`, wanted: `${total}` }
  return { policy, spent: { ...recent, [hour]: (recent[hour] ?? 0n) + lamports } }
}
