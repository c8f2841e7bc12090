/** Fault that a test injects. Without `method` it affects any method; without `times` it lasts until it is cleared. */
export interface Fault {
  readonly type: FaultType
  readonly method?: string
  readonly times?: number
  /** For delay: time before the call runs, in ms. */
  readonly ms?: number
  /** For error: HTTP status, e.g. 429 or 500. */
  readonly status?: number
  /** For error: JSON-RPC error code, when no HTTP status is given. */
  readonly code?: number
  readonly message?: string
  /** For behind: number of slots. */
  readonly slots?: number
  /** Probability that the fault affects a matching call, above 0 to 1; default: always. */
  readonly share?: number
}

export const FAULT_TYPES = [
  'drop',
  'delay',
  'error',
  'malformed',
  'lose',
  'stale-blockhash',
  'forget',
  'behind',
  'old-node',
  'pause-slots',
  'refuse-websockets',
] as const

export type FaultType = (typeof FAULT_TYPES)[number]

/** Faults that affect a call before it runs. */
const CALL_FAULTS: readonly FaultType[] = ['drop', 'delay', 'error', 'malformed']

export interface ActiveFault extends Fault {
  readonly id: number
  /** Remaining occurrences; absent: unlimited. */
  readonly left?: number
}

/** Active faults. While empty, the default, it adds no cost to a call. */
export class Faults {
  #active: readonly ActiveFault[] = []
  #lastId = 0
  readonly #random: () => number

  /** @param random 0 to below 1, for faults that meet only a share of the calls */
  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  add(fault: Fault): ActiveFault {
    this.#lastId += 1
    const active = { ...fault, id: this.#lastId, ...(fault.times !== undefined && { left: fault.times }) }
    this.#active = [...this.#active, active]
    return active
  }

  list(): readonly ActiveFault[] {
    return this.#active
  }

  /** Clears one fault, or all. Returns false when no fault has that id. */
  clear(id?: number): boolean {
    const before = this.#active.length
    this.#active = id === undefined ? [] : this.#active.filter(fault => fault.id !== id)
    return id === undefined || this.#active.length < before
  }

  has(type: FaultType): boolean {
    return this.#active.some(fault => fault.type === type)
  }

  get behind(): number {
    return this.#active.find(fault => fault.type === 'behind')?.slots ?? 0
  }

  /** Returns the next fault of this type and counts it as used; undefined when there is none. */
  take(type: FaultType): ActiveFault | undefined {
    return this.#use(this.#active.find(fault => fault.type === type && this.#happens(fault)))
  }

  /** Returns the next fault that affects a call of one of these methods. */
  takeForCall(methods: readonly string[]): ActiveFault | undefined {
    if (this.#active.length === 0) return undefined
    const meets = (fault: ActiveFault) =>
      CALL_FAULTS.includes(fault.type) &&
      (fault.method === undefined || methods.includes(fault.method)) &&
      this.#happens(fault)
    return this.#use(this.#active.find(meets))
  }

  #happens({ share }: ActiveFault): boolean {
    return share === undefined || this.#random() < share
  }

  #use(fault: ActiveFault | undefined): ActiveFault | undefined {
    if (fault?.left === undefined) return fault
    const left = fault.left - 1
    this.#active =
      left > 0
        ? this.#active.map(other => (other === fault ? { ...fault, left } : other))
        : this.#active.filter(other => other !== fault)
    return fault
  }
}
