/** One record per connector: its state, connection and attempt. */
import type { RunningAttempt } from './attempt.js'
import type { Connection } from './snapshots.js'
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
export interface ConnectorRecords {
  all(): readonly ConnectorRecord[]
  get(id: string): ConnectorRecord
}

export function createRecords(): ConnectorRecords {
  const byId = new Map<string, ConnectorRecord>()
  return {
    all: () => [...byId.values()],
    get(id) {
      const record = byId.get(id) ?? { id, state: 'idle' }
      byId.set(id, record)
      return record
    },
  }
}

/** Changes the state. Returns false for an event that does nothing in this state. */
export function dispatch(record: ConnectorRecord, event: ConnectorEvent): boolean {
  const { state } = record
  record.state = transition(state, event)
  return record.state !== state
}
