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
  /** The app disconnected it last; applied when the stored connections are loaded, which may be later. */
  isReleased?: boolean
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
  isWanted(record: ConnectorRecord): boolean
  /** Returns the connectors that the user wants connected, in the order in which the user connected them. */
  wanted(): readonly ConnectorRecord[]
  /** Puts the stored connectors before those that were connected since. */
  restore(ids: readonly string[]): void
}

/** The attempt of a connector that the user sees, and what may still update it. */
interface ShownAttempt {
  readonly attempt: Attempt
  readonly by: RunningAttempt | undefined
}

export function createRecords(makeStore: MakeStore): ConnectorRecords {
  const byId = new Map<string, ConnectorRecord>()
  const shown = new Map<string, ShownAttempt>()
  let wantedIds = new Set<string>()
  const attempts = makeStore<readonly Attempt[]>([])
  const connections = makeStore<readonly Connection[]>([])
  const get = (id: string) => {
    const record = byId.get(id) ?? { id, state: 'idle' }
    byId.set(id, record)
    return record
  }
  const wanted = () => [...wantedIds].map(get)
  const publishAttempts = () => attempts.set([...shown.values()].map(({ attempt }) => attempt))
  return {
    attempts: { list: attempts.get, subscribe: attempts.subscribe, get: id => shown.get(id)?.attempt },
    connections: { list: connections.get, subscribe: connections.subscribe, get: id => byId.get(id)?.connection },
    all: () => [...byId.values()],
    get,
    wanted,
    isWanted: ({ id }) => wantedIds.has(id),
    show(attempt, by) {
      shown.delete(attempt.connectorId) // so that it becomes the last one
      shown.set(attempt.connectorId, { attempt, by })
      publishAttempts()
    },
    update(by, change) {
      const { id: connectorId } = by.connector
      if (shown.get(connectorId)?.by !== by) return
      shown.set(connectorId, { attempt: { connectorId, method: by.method, ...change }, by })
      publishAttempts()
    },
    hide({ id }) {
      if (shown.delete(id)) publishAttempts()
    },
    setConnection(record, next) {
      record.connection = next
      connections.set(wanted().flatMap(({ connection }) => connection ?? []))
    },
    want(record, isWanted) {
      const { id } = record
      if (wantedIds.has(id) === isWanted) return false
      record.isReleased = !isWanted
      if (isWanted) wantedIds.add(id)
      else wantedIds.delete(id)
      return true
    },
    restore(ids) {
      wantedIds = new Set([...ids, ...wantedIds])
    },
  }
}
