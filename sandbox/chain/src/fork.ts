import type { IssuedBlockhash } from './blockhashes.js'
import type { ChainState } from './state.js'

/** A fork that is going to be abandoned: all that happens after `begin` vanishes with `abandon`. */
export class Fork {
  readonly #state: ChainState
  #point: { vm: Uint8Array; blockhashes: IssuedBlockhash[]; height: number; slot: number } | undefined

  constructor(state: ChainState) {
    this.#state = state
  }

  /** The first slot of the fork, while there is one. */
  get slot(): number | undefined {
    return this.#point?.slot
  }

  /** From the next slot on, the chain is on a fork. Returns that slot. */
  begin(): number {
    const state = this.#state
    const before = { vm: state.vm.toBytes(), blockhashes: state.blockhashes.entries(), height: state.height }
    state.advance()
    this.#point = { ...before, slot: state.slot }
    return state.slot
  }

  /** The fork loses: transactions, blockhashes and balances since `begin` vanish. Returns the signatures; undefined without a fork. */
  abandon(): string[] | undefined {
    if (!this.#point) return undefined
    const vanished = this.#state.rewind(this.#point)
    this.#point = undefined
    return vanished
  }
}
