/** Runs at most one attempt per connector, and keeps its record and the attempt that the user sees up to date. */
import { type AttemptServices, createAttempt } from './attempt.js'
import type { ConnectContext, Connector } from './connector.js'
import type { Bus } from './events.js'
import { type ConnectorRecord, type ConnectorRecords, dispatch } from './records.js'
import type { Outcome } from './snapshots.js'
import { aborted, type ErrorSpec, toKeybayError, userRejected } from './spec/errors.js'

/** Identifies a connector over updates of its name, icon or readiness. */
export function getFace(connector: Connector | undefined): unknown {
  return connector?.kind === 'wallet' ? connector.wallet : connector?.kind
}

interface AttemptRequest {
  readonly connector: Connector
  /** `connect` by default, or the wallet method that left the page. */
  readonly method?: string | undefined
  readonly signal?: AbortSignal | undefined
}
export interface AttemptRunner {
  /** Begins an attempt, or joins the one that runs. A silent one gives way to the user's. */
  run(
    event: 'connect' | 'reconnect' | 'resume',
    request: AttemptRequest,
    perform: (ctx: ConnectContext) => Promise<Outcome>,
  ): Promise<Outcome>
  stop(record: ConnectorRecord, error: ErrorSpec): void
  /** Ends the attempt and forgets how the last one ended. The next one need not wait until this one has ended. */
  reset(id: string): void
  /** Fails the attempts that left the page: the user came back without a response. */
  stepBack(): void
}

export function createAttempts(records: ConnectorRecords, bus: Bus, services: AttemptServices): AttemptRunner {
  const stop: AttemptRunner['stop'] = (record, error) => {
    const { running } = record
    record.running = undefined
    running?.abort(error)
  }
  return {
    stop,
    async run(event, { connector, method = 'connect', signal }, perform) {
      const { id: connectorId } = connector
      if (signal?.aborted) throw toKeybayError(signal.reason, connectorId)
      const silent = event === 'reconnect'
      const record = records.get(connectorId)
      const { running } = record
      if (running && (silent || !running.silent)) return running.join(signal)
      stop(record, aborted) // what runs is silent, and the user asks now
      const attempt = createAttempt(services, {
        connector,
        method,
        silent,
        resumed: event === 'resume',
        perform,
        onChange(by, event, change) {
          const { error } = change
          records.update(by, change)
          if (record.running === by) {
            dispatch(record, event)
            if (event !== 'redirect') record.running = undefined
          }
          if (error && method !== 'connect') bus.emit('operation:failed', { connectorId, method, error })
          else if (error && !silent) bus.emit('connection:failed', { connectorId, error })
        },
      })
      record.running = attempt
      record.face = getFace(connector)
      dispatch(record, event)
      if (!silent) {
        records.show({ connectorId, method, status: 'connecting' }, attempt)
        if (method === 'connect') bus.emit('connection:opening', { connectorId })
      }
      return attempt.join(signal)
    },
    reset(id) {
      const record = records.get(id)
      dispatch(record, 'cancel')
      stop(record, aborted)
      records.hide(record)
    },
    stepBack() {
      for (const { state, running } of records.all()) if (state === 'redirecting') running?.abort(userRejected)
    },
  }
}
