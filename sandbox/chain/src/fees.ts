import { MAX_PROCESSING_AGE } from './blockhashes.js'
import {
  BUILTIN_PROGRAMS,
  COMPUTE_BUDGET_PROGRAM,
  ED25519_PROGRAM,
  SECP256K1_PROGRAM,
  SECP256R1_PROGRAM,
} from './programs.js'
import type { Message } from './wire.js'

const LAMPORTS_PER_SIGNATURE = 5_000
const MICRO_LAMPORTS = 1_000_000n
const MAX_COMPUTE_UNITS = 1_400_000n
const UNITS_PER_INSTRUCTION = 200_000n
const UNITS_PER_BUILTIN_INSTRUCTION = 3_000n
const SET_COMPUTE_UNIT_LIMIT = 2
const SET_COMPUTE_UNIT_PRICE = 3
const PRECOMPILES: readonly string[] = [ED25519_PROGRAM, SECP256K1_PROGRAM, SECP256R1_PROGRAM]

/** Returns the priority fee of a message, in micro-lamports per compute unit. */
export function getPrice(message: Message): bigint {
  let price = 0n
  for (const { programIdIndex, data } of message.instructions) {
    if (message.accountKeys[programIdIndex] !== COMPUTE_BUDGET_PROGRAM) continue
    const bytes = Buffer.from(data)
    if (bytes[0] === SET_COMPUTE_UNIT_PRICE && bytes.length >= 9) price = bytes.readBigUInt64LE(1)
  }
  return price
}

/** Returns a message's fee in lamports: signatures, including those for precompiles, and the priority fee. */
export function getFee(message: Message): bigint {
  let signatures = message.header.numRequiredSignatures
  let limit: bigint | undefined
  let defaultLimit = 0n
  for (const { programIdIndex, data } of message.instructions) {
    const program = message.accountKeys[programIdIndex] ?? ''
    const bytes = Buffer.from(data)
    if (program === COMPUTE_BUDGET_PROGRAM && bytes[0] === SET_COMPUTE_UNIT_LIMIT && bytes.length >= 5) {
      limit = BigInt(bytes.readUInt32LE(1))
    }
    if (PRECOMPILES.includes(program)) signatures += bytes[0] ?? 0
    defaultLimit += BUILTIN_PROGRAMS.has(program) ? UNITS_PER_BUILTIN_INSTRUCTION : UNITS_PER_INSTRUCTION
  }
  const units = limit ?? defaultLimit
  const capped = units > MAX_COMPUTE_UNITS ? MAX_COMPUTE_UNITS : units
  const priority = (getPrice(message) * capped + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
  return BigInt(signatures * LAMPORTS_PER_SIGNATURE) + priority
}

interface PaidInBlock {
  least: bigint
  /** Minimum over the transactions that write to an address. */
  readonly byAddress: Map<string, bigint>
}

function lesser(a: bigint | undefined, b: bigint): bigint {
  return a !== undefined && a < b ? a : b
}

/**
 * Tracks the priority fees that sufficed in each of the last blocks, in micro-lamports per compute unit, as a node
 * does: for given addresses the highest of their minimums, and never less than the block's own minimum. Held in
 * memory only.
 */
export class PriorityFees {
  readonly #bySlot = new Map<number, PaidInBlock>()

  add(slot: number, price: bigint, writable: readonly string[]): void {
    const block = this.#bySlot.get(slot) ?? { least: price, byAddress: new Map<string, bigint>() }
    block.least = lesser(block.least, price)
    for (const address of writable) block.byAddress.set(address, lesser(block.byAddress.get(address), price))
    this.#bySlot.set(slot, block)
    for (const old of this.#bySlot.keys()) {
      if (old > slot - MAX_PROCESSING_AGE) break
      this.#bySlot.delete(old)
    }
  }

  of(slot: number, addresses: readonly string[]): number {
    const block = this.#bySlot.get(slot)
    if (!block) return 0
    return Math.max(...[block.least, ...addresses.map(address => block.byAddress.get(address) ?? 0n)].map(Number))
  }
}
