/** Computes what a transaction costs beyond what it sends. */
import type { Instruction, TransactionMessage } from '@keybay/waas/relay-client'
import { COMPUTE_BUDGET, SPL_TOKEN } from './programs.js'
import type { Opening } from './tokens.js'

const LAMPORTS_PER_SIGNATURE = 5_000n
const UNITS_PER_INSTRUCTION = 200_000
const MAX_UNITS = 1_400_000
const MICRO = 1_000_000n
/** Lamports for a new token account, as the relays count: of Token-2022 more than any account takes. */
const [RENT, RENT_2022] = [2_039_280n, 10_000_000n]

function view({ data }: Instruction): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}

/** Returns the most that the network takes, in lamports, with the priority fee. */
export function getFee({ signers, instructions }: TransactionMessage): bigint {
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

/** Returns the deposit for a new token account, in lamports. */
export function getRent({ program }: Opening): bigint {
  return program === SPL_TOKEN ? RENT : RENT_2022
}
