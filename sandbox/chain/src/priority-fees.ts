import { MAX_PROCESSING_AGE } from './blockhashes.js'

interface PaidInBlock {
  /** Minimum over all transactions. */
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
