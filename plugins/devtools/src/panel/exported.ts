/** Writes entries and the state as JSON, for copying and exporting. Entries were redacted when they were recorded; the state is redacted here. */
import { type ConnectorState, type Kernel, redact, type SessionState } from '@keybay/kernel'
import { toActions } from '../actions/rules.js'
import type { Action } from '../actions/timeline.js'
import type { Entry } from '../api.js'

function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

export function eventsToJson(entries: readonly Entry[]): string {
  return toJson(listEvents(entries))
}

export function actionsToJson(actions: readonly Action[]): string {
  return toJson(listActions(actions))
}

function listEvents(entries: readonly Entry[]) {
  return entries.map(({ at, event, payload }) => ({ at: new Date(at).toISOString(), event, payload }))
}

/** Times of rows are relative to their action, in ms. */
function listActions(actions: readonly Action[]) {
  const length = (startedAt: number, endedAt: number | undefined) => endedAt && endedAt - startedAt
  return actions.map(({ name, startedAt, endedAt, outcome, rows }) => ({
    at: new Date(startedAt).toISOString(),
    name,
    outcome,
    ms: length(startedAt, endedAt),
    rows: rows.map(row => ({
      kind: row.kind,
      name: row.name,
      outcome: row.outcome,
      after: row.startedAt - startedAt,
      ms: length(row.startedAt, row.endedAt),
    })),
  }))
}

export interface DevtoolsState {
  readonly session: SessionState
  readonly connectors: readonly {
    readonly id: string
    readonly name: string
    /** How a wallet is connected, or how a login signs in. */
    readonly type: string
    readonly readiness: string
    readonly state: ConnectorState
    /** Addresses. */
    readonly accounts: readonly string[]
  }[]
}

export function readState({ connectors, connections, session }: Kernel): DevtoolsState {
  return {
    session: session.current,
    connectors: connectors
      .list()
      .map(connector => ({
        id: connector.id,
        name: connector.name,
        type: connector.kind === 'wallet' ? connector.connectionType : connector.method,
        readiness: connector.readiness,
        state: connections.state(connector.id),
        accounts: connections.get(connector.id)?.accounts.map(({ address }) => address) ?? [],
      })),
  }
}

export function stateToJson(kernel: Kernel): string {
  return toJson(redact(readState(kernel)))
}

export function exportAll(kernel: Kernel, entries: readonly Entry[]): string {
  return toJson({
    ...Object(redact(readState(kernel))),
    actions: listActions(toActions(entries)),
    events: listEvents(entries),
  })
}
