/** One record per connector: its state, connection and attempt. The snapshots that hosts read are made from them. */
import type { RunningAttempt } from './attempt.js'
import type { MakeStore, Store } from './events.js'
import type { Attempt, Attempts, Connection, Connections } from './snapshots.js'
import { type ConnectorEvent, type ConnectorState, transition } from './states.js'

export class ConnectorRecord {
  readonly id: string
  state: ConnectorState = 'idle'
  /** The wallet that the state is about, or the kind of the connector. */
  face: unknown
  running: RunningAttempt | undefined
  connection: Connection | undefined
  /** Stops listening to the wallet. */
  stopWatching: (() => void) | undefined
  /** Position among the connectors that the user wants connected; undefined for the others. */
  place: number | undefined
  /** The app disconnected it last; applied when the stored connections are loaded, which may be later. */
  isReleased = false
  /** The attempt that the user sees: when it began, and what still updates it. */
  shown: { readonly attempt: Attempt; readonly begun: number; readonly by: RunningAttempt | undefined } | undefined
  constructor(id: string) {
    this.id = id
  }
  /** Changes the state. Returns false for an event that does nothing in this state. */
  dispatch(event: ConnectorEvent): boolean {
    const next = transition(this.state, event)
    const isChanged = next !== this.state
    this.state = next
    return isChanged
  }
}

export class ConnectorRecords {
  readonly #byId = new Map<string, ConnectorRecord>()
  readonly #attempts: Store<readonly Attempt[]>
  readonly #connections: Store<readonly Connection[]>
  #begun = 0
  #lastPlace = 0

  constructor(makeStore: MakeStore) {
    this.#attempts = makeStore<readonly Attempt[]>([])
    this.#connections = makeStore<readonly Connection[]>([])
  }
  get attempts(): Omit<Attempts, 'reset'> {
    const { get: list, subscribe } = this.#attempts
    return { list, subscribe, get: id => this.#byId.get(id)?.shown?.attempt }
  }
  get connections(): Connections {
    const { get: list, subscribe } = this.#connections
    return { list, subscribe, get: id => this.#byId.get(id)?.connection }
  }
  all(): readonly ConnectorRecord[] {
    return [...this.#byId.values()]
  }
  get(id: string): ConnectorRecord {
    const record = this.#byId.get(id) ?? new ConnectorRecord(id)
    this.#byId.set(id, record)
    return record
  }
  /** Shows an attempt as the latest one. @param by what may update it */
  show(attempt: Attempt, by?: RunningAttempt): void {
    this.get(attempt.connectorId).shown = { attempt, by, begun: ++this.#begun }
    this.#showAttempts()
  }
  update(by: RunningAttempt, change: Pick<Attempt, 'status' | 'result' | 'error'>): void {
    const { connector, method } = by.options
    const record = this.get(connector.id)
    if (record.shown?.by !== by) return
    record.shown = { ...record.shown, attempt: { connectorId: connector.id, method, ...change } }
    this.#showAttempts()
  }
  hide(record: ConnectorRecord): void {
    if (!record.shown) return
    record.shown = undefined
    this.#showAttempts()
  }
  #showAttempts() {
    const shown = this.all().flatMap(record => record.shown ?? [])
    this.#attempts.set(shown.sort((a, b) => a.begun - b.begun).map(({ attempt }) => attempt))
  }
  setConnection(record: ConnectorRecord, connection: Connection | undefined): void {
    record.connection = connection
    this.#connections.set(this.#inOrder(this.all()).flatMap(({ connection: open }) => open ?? []))
  }
  /** Records whether the user wants it connected. Returns whether that changed. */
  want(record: ConnectorRecord, isWanted: boolean): boolean {
    if ((record.place !== undefined) === isWanted) return false
    record.isReleased = !isWanted
    record.place = isWanted ? ++this.#lastPlace : undefined
    return true
  }
  /** The connectors that the user wants connected, in the order in which the user connected them. */
  wanted(): readonly ConnectorRecord[] {
    return this.#inOrder(this.all().filter(({ place }) => place !== undefined))
  }
  /** Puts the stored connectors before those that were connected since. */
  restore(ids: readonly string[]): void {
    for (const [i, id] of ids.entries()) this.get(id).place = i - ids.length
  }
  #inOrder(records: readonly ConnectorRecord[]) {
    return [...records].sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
  }
}
