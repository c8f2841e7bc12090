/** Computes what a transaction costs beyond what it sends. */
import type { Instruction, Transaction } from './transaction.js'

export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const LAMPORTS_PER_SIGNATURE = 5000n
const [UNITS_PER_INSTRUCTION, MAX_UNITS] = [200_000, 1_400_000] as const
const MICRO = 1_000_000n
/** Deposit for a token account of the token program, in lamports; one of Token-2022 can take more. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n

function view({ data }: Instruction): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}

/** Returns the network fee in lamports, with the priority fee. */
export function getFee({ signers, instructions }: Transaction): bigint {
  const budget = instructions.filter(({ program }) => program === COMPUTE_BUDGET)
  const limit = budget.find(({ data }) => data[0] === 2 && data.length === 5)
  const price = budget.find(({ data }) => data[0] === 3 && data.length === 9)
  const wanted = limit ? view(limit).getUint32(1, true) : UNITS_PER_INSTRUCTION * (instructions.length - budget.length)
  const priority = price ? view(price).getBigUint64(1, true) * BigInt(Math.min(wanted, MAX_UNITS)) : 0n
  return LAMPORTS_PER_SIGNATURE * BigInt(signers.length) + (priority + MICRO - 1n) / MICRO
}
