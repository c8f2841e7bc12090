import type { IssuedBlockhash } from './blockhashes.js'
import type { ChainState } from './state.js'

/** Fork that will be abandoned: `abandon` discards everything after `begin`. */
export class Fork {
  readonly #state: ChainState
  #point: { vm: Uint8Array; blockhashes: IssuedBlockhash[]; height: number; slot: number } | undefined

  constructor(state: ChainState) {
    this.#state = state
  }

  /** First slot of the fork, while one is active. */
  get slot(): number | undefined {
    return this.#point?.slot
  }

  /** Puts the chain on a fork from the next slot on. Returns that slot. */
  begin(): number {
    const state = this.#state
    const before = { vm: state.vm.toBytes(), blockhashes: state.blockhashes.entries(), height: state.height }
    state.advance()
    this.#point = { ...before, slot: state.slot }
    return state.slot
  }

  /** Discards everything since `begin`. Returns the signatures of its transactions; undefined without a fork. */
  abandon(): string[] | undefined {
    if (!this.#point) return undefined
    const vanished = this.#state.rewind(this.#point)
    this.#point = undefined
    return vanished
  }
}
