/** Runs at most one attempt per connector, and keeps its record and the attempt that the user sees up to date. */
import { type AttemptOptions, type AttemptServices, createAttempt, type RunningAttempt } from './attempt.js'
import type { ConnectContext, Connector } from './connector.js'
import { type ConnectorRecord, type ConnectorRecords, dispatch } from './records.js'
import type { Attempt, Attempts, Outcome } from './snapshots.js'
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
/** The attempt of a connector that the user sees, and what may still update it. */
interface ShownAttempt {
  readonly attempt: Attempt
  readonly by: RunningAttempt | undefined
}
export interface AttemptRunner {
  /** The attempts as hosts read them. */
  readonly snapshots: Attempts
  /** Begins an attempt, or joins the one that runs. A silent one gives way to the user's. */
  run(
    event: AttemptOptions['event'],
    request: AttemptRequest,
    perform: (ctx: ConnectContext) => Promise<Outcome>,
  ): Promise<Outcome>
  /** Shows an attempt as the latest one. @param by what may update it */
  show(attempt: Attempt, by?: RunningAttempt): void
  /** Ends the attempt that runs. The next one need not wait until this one has ended. */
  stop(record: ConnectorRecord, error: ErrorSpec): void
  /** Fails the attempts that left the page: the user came back without a response. */
  stepBack(): void
}
export function createAttempts(records: ConnectorRecords, services: AttemptServices): AttemptRunner {
  const { events, makeStore } = services
  const shown = new Map<string, ShownAttempt>()
  const store = makeStore<readonly Attempt[]>([])
  const publish = () => store.set([...shown.values()].map(({ attempt }) => attempt))
  const show: AttemptRunner['show'] = (attempt, by) => {
    shown.delete(attempt.connectorId) // so that it becomes the last one
    shown.set(attempt.connectorId, { attempt, by })
    publish()
  }
  const stop: AttemptRunner['stop'] = (record, error) => {
    const { running } = record
    record.running = undefined
    running?.abort(error)
  }
  return {
    show,
    stop,
    async run(event, { connector, method = 'connect', signal }, perform) {
      const { id: connectorId } = connector
      if (signal?.aborted) throw toKeybayError(signal.reason, connectorId)
      const silent = event === 'reconnect'
      const record = records.get(connectorId)
      const { running } = record
      if (running && (silent || !running.silent)) return running.join(signal)
      stop(record, aborted) // what runs is silent, and the user asks now
      const attempt: RunningAttempt = createAttempt(services, {
        connector,
        method,
        event,
        perform,
        onChange(event, change) {
          const { error } = change
          if (shown.get(connectorId)?.by === attempt) {
            shown.set(connectorId, { attempt: { connectorId, method, ...change }, by: attempt })
            publish()
          }
          if (record.running === attempt) {
            dispatch(record, event)
            if (event !== 'redirect') record.running = undefined
          }
          if (error && method !== 'connect') events.emit('operation:failed', { connectorId, method, error })
          else if (error && !silent) events.emit('connection:failed', { connectorId, error })
        },
      })
      record.running = attempt
      record.face = getFace(connector)
      dispatch(record, event)
      if (!silent) {
        show({ connectorId, method, status: 'connecting' }, attempt)
        if (method === 'connect') events.emit('connection:opening', { connectorId })
      }
      return attempt.join(signal)
    },
    snapshots: {
      list: store.get,
      subscribe: store.subscribe,
      get: id => shown.get(id)?.attempt,
      reset(id) {
        const record = records.get(id)
        dispatch(record, 'cancel')
        stop(record, aborted)
        if (shown.delete(id)) publish()
      },
    },
    stepBack() {
      for (const { state, running } of records.all()) if (state === 'redirecting') running?.abort(userRejected)
    },
  }
}
