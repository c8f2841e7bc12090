/** One record per connector: its state, connection and attempt. The snapshots that hosts read are made from them. */
import type { AttemptChange, RunningAttempt } from './attempt.js'
import type { MakeStore } from './events.js'
import type { Attempt, Attempts, Connection, Connections } from './snapshots.js'
import { type ConnectorEvent, type ConnectorState, transition } from './states.js'

export interface ConnectorRecord {
  readonly id: string
  state: ConnectorState
  /** The wallet that the state is about, or the kind of the connector. */
  face?: unknown
  running?: RunningAttempt | undefined
  connection?: Connection | undefined
  /** Stops listening to the wallet. */
  unwatch?: (() => void) | undefined
  /** Position among the connectors that the user wants connected; undefined for the others. */
  place?: number | undefined
  /** The app disconnected it last; applied when the stored connections are loaded, which may be later. */
  isReleased?: boolean
  /** The attempt that the user sees, when it began, and what may still update it. */
  shown?: { readonly attempt: Attempt; readonly begun: number; readonly by: RunningAttempt | undefined } | undefined
}

/** Changes the state. Returns false for an event that does nothing in this state. */
export function dispatch(record: ConnectorRecord, event: ConnectorEvent): boolean {
  const next = transition(record.state, event)
  const isChanged = next !== record.state
  record.state = next
  return isChanged
}

export interface ConnectorRecords {
  readonly attempts: Omit<Attempts, 'reset'>
  readonly connections: Connections
  all(): readonly ConnectorRecord[]
  get(id: string): ConnectorRecord
  /** Shows an attempt as the latest one. @param by what may update it */
  show(attempt: Attempt, by?: RunningAttempt): void
  update(by: RunningAttempt, change: AttemptChange): void
  hide(record: ConnectorRecord): void
  setConnection(record: ConnectorRecord, connection: Connection | undefined): void
  /** Stores whether the user wants it connected. Returns whether that changed. */
  want(record: ConnectorRecord, isWanted: boolean): boolean
  /** Returns the connectors that the user wants connected, in the order in which the user connected them. */
  wanted(): readonly ConnectorRecord[]
  /** Puts the stored connectors before those that were connected since. */
  restore(ids: readonly string[]): void
}

export function createRecords(makeStore: MakeStore): ConnectorRecords {
  const byId = new Map<string, ConnectorRecord>()
  const attempts = makeStore<readonly Attempt[]>([])
  const connections = makeStore<readonly Connection[]>([])
  let begun = 0
  let lastPlace = 0
  const all = () => [...byId.values()]
  const get = (id: string) => {
    const record = byId.get(id) ?? { id, state: 'idle' }
    byId.set(id, record)
    return record
  }
  const wanted = () =>
    all()
      .filter(({ place }) => place !== undefined)
      .sort((a, b) => Number(a.place) - Number(b.place))
  const setShown = (record: ConnectorRecord, shown: ConnectorRecord['shown']) => {
    record.shown = shown
    const list = all().flatMap(other => other.shown ?? [])
    attempts.set(list.sort((a, b) => a.begun - b.begun).map(({ attempt }) => attempt))
  }
  return {
    attempts: { list: attempts.get, subscribe: attempts.subscribe, get: id => byId.get(id)?.shown?.attempt },
    connections: { list: connections.get, subscribe: connections.subscribe, get: id => byId.get(id)?.connection },
    all,
    get,
    wanted,
    show: (attempt, by) => setShown(get(attempt.connectorId), { attempt, by, begun: ++begun }),
    update(by, change) {
      const record = get(by.connector.id)
      const { shown } = record
      const { connector, method } = by
      if (shown?.by === by) setShown(record, { ...shown, attempt: { connectorId: connector.id, method, ...change } })
    },
    hide(record) {
      if (record.shown) setShown(record, undefined)
    },
    setConnection(record, next) {
      record.connection = next
      connections.set(wanted().flatMap(({ connection }) => connection ?? []))
    },
    want(record, isWanted) {
      if ((record.place !== undefined) === isWanted) return false
      record.isReleased = !isWanted
      record.place = isWanted ? ++lastPlace : undefined
      return true
    },
    restore(ids) {
      for (const [i, id] of ids.entries()) get(id).place = i - ids.length
    },
  }
}
