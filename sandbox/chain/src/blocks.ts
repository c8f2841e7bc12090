export interface Block {
  readonly slot: number
  readonly parentSlot: number
  readonly height: number
  /** Unix time in seconds. */
  readonly time: number
  readonly blockhash: string
  readonly previousBlockhash: string
  /** Signatures, in the order of execution. */
  readonly signatures: string[]
}

/** Number of slots for which empty blocks are kept: 400 ms slots make 216,000 a day, which no client requests. */
const KEPT_EMPTY_BLOCKS = 4_096

/** Blocks by slot. A slot without a block was skipped (chain down, abandoned fork) or its block was deleted. */
export class Blocks {
  readonly #bySlot = new Map<number, Block>()
  /** Slots of blocks that may still be empty in the end, oldest first. */
  #recent: number[] = []

  add(block: Block): void {
    this.#bySlot.set(block.slot, block)
    this.#recent.push(block.slot)
    if (this.#recent.length > 2 * KEPT_EMPTY_BLOCKS) this.#forgetEmpty()
  }

  get(slot: number): Block | undefined {
    return this.#bySlot.get(slot)
  }

  get first(): number {
    return this.#bySlot.keys().next().value ?? 0
  }

  /** Returns the slots with a block from `start` to `end`, both included, at most `limit`. */
  slots(start: number, end: number, limit: number = Number.POSITIVE_INFINITY): number[] {
    const slots: number[] = []
    for (const slot of this.#bySlot.keys()) {
      if (slot > end || slots.length >= limit) break
      if (slot >= start) slots.push(slot)
    }
    return slots
  }

  /** Removes all blocks from `slot` on, because they were on a fork. */
  dropFrom(slot: number): void {
    for (const key of [...this.#bySlot.keys()]) if (key >= slot) this.#bySlot.delete(key)
    this.#recent = this.#recent.filter(key => key < slot)
  }

  /** Removes all blocks before `slot`, the new start of the history. */
  dropBefore(slot: number): void {
    for (const key of this.#bySlot.keys()) {
      if (key >= slot) break
      this.#bySlot.delete(key)
    }
  }

  entries(): Block[] {
    return [...this.#bySlot.values()]
  }

  #forgetEmpty(): void {
    for (const slot of this.#recent.splice(0, KEPT_EMPTY_BLOCKS)) {
      if (this.#bySlot.get(slot)?.signatures.length === 0) this.#bySlot.delete(slot)
    }
  }
}
