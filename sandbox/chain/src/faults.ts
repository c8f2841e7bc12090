/** What a test may make the chain do wrong. `method` absent: any method; `times` absent: until it is taken back. */
export interface Fault {
  readonly type: FaultType
  readonly method?: string
  readonly times?: number
  /** delay: ms before the call runs. */
  readonly ms?: number
  /** error: HTTP status, e.g. 429 or 500. */
  readonly status?: number
  /** error: JSON-RPC error code, when no HTTP status is given. */
  readonly code?: number
  readonly message?: string
  /** behind: by how many slots. */
  readonly slots?: number
  /** How likely it meets a call that it fits, above 0 to 1; absent: surely. */
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

/** Faults that meet a call before it runs. */
const CALL_FAULTS: readonly FaultType[] = ['drop', 'delay', 'error', 'malformed']

export interface ActiveFault extends Fault {
  readonly id: number
  /** How often it will still happen; absent: always. */
  readonly left?: number
}

/** The faults in force. Empty, as it is unless a test says otherwise, it costs a call nothing. */
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

  /** Takes one fault back, or all. False when there is none with that id. */
  clear(id?: number): boolean {
    const before = this.#active.length
    this.#active = id === undefined ? [] : this.#active.filter(fault => fault.id !== id)
    return id === undefined || this.#active.length < before
  }

  has(type: FaultType): boolean {
    return this.#active.some(fault => fault.type === type)
  }

  /** By how many slots the node says that it lags. */
  get behind(): number {
    return this.#active.find(fault => fault.type === 'behind')?.slots ?? 0
  }

  /** The next fault of this type, which counts as happened; undefined when there is none. */
  take(type: FaultType): ActiveFault | undefined {
    return this.#use(this.#active.find(fault => fault.type === type && this.#happens(fault)))
  }

  /** The next fault that meets a call of one of these methods. */
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
