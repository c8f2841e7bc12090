/** Runs at most one attempt per connector, and keeps its record and the attempt that the user sees up to date. */
import { type AttemptServices, RunningAttempt } from './attempt.js'
import type { ConnectContext, Connector } from './connector.js'
import type { Bus } from './events.js'
import type { ConnectorRecord, ConnectorRecords } from './records.js'
import type { Outcome } from './snapshots.js'
import { aborted, type ErrorSpec, type KeybayError, toKeybayError, userRejected } from './spec/errors.js'

/** Identifies a connector over updates of its name, icon or readiness. */
export function faceOf(connector: Connector | undefined): unknown {
  return connector?.kind === 'wallet' ? connector.wallet : connector?.kind
}

interface AttemptRequest {
  readonly connector: Connector
  /** `connect` by default, or the wallet method that left the page. */
  readonly method?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export class AttemptRunner {
  readonly #records: ConnectorRecords
  readonly #bus: Bus
  readonly #services: AttemptServices

  constructor(records: ConnectorRecords, bus: Bus, services: AttemptServices) {
    this.#records = records
    this.#bus = bus
    this.#services = services
  }

  /** Begins an attempt, or joins the one that runs. A silent one gives way to the user's. */
  async run(
    event: 'connect' | 'reconnect' | 'resume',
    { connector, method = 'connect', signal }: AttemptRequest,
    perform: (ctx: ConnectContext) => Promise<Outcome>,
  ): Promise<Outcome> {
    const records = this.#records
    const { id: connectorId } = connector
    const silent = event === 'reconnect'
    if (signal?.aborted) throw toKeybayError(signal.reason, connectorId)
    const record = records.get(connectorId)
    const { running } = record
    if (running && (silent || !running.options.silent)) return running.join(signal)
    this.stop(record, aborted) // what runs is silent, and the user asks now
    const attempt = new RunningAttempt(this.#services, {
      connector,
      silent,
      method,
      resumed: event === 'resume',
      perform,
      onRedirect: by => {
        if (record.running === by) record.dispatch('redirect')
        records.update(by, { status: 'redirecting' })
      },
      onSuccess: (by, result) => this.#settle(by, 'finish', { status: 'succeeded', result }),
      onFailure: (by, error) => this.#fail(by, error),
    })
    record.running = attempt
    record.face = faceOf(connector)
    record.dispatch(event)
    if (!silent) {
      records.show({ connectorId, method, status: 'connecting' }, attempt)
      if (method === 'connect') this.#bus.emit('connection:opening', { connectorId })
    }
    return attempt.join(signal)
  }

  #settle(by: RunningAttempt, event: 'finish' | 'fail', change: Parameters<ConnectorRecords['update']>[1]) {
    const record = this.#records.get(by.options.connector.id)
    this.#records.update(by, change)
    if (record.running !== by) return
    record.running = undefined
    record.dispatch(event)
  }

  #fail(by: RunningAttempt, error: KeybayError) {
    const { connector, method, silent } = by.options
    const { id: connectorId } = connector
    this.#settle(by, 'fail', { status: 'failed', error })
    if (method !== 'connect') this.#bus.emit('operation:failed', { connectorId, method, error })
    else if (!silent) this.#bus.emit('connection:failed', { connectorId, error })
  }

  stop(record: ConnectorRecord, error: ErrorSpec): void {
    const { running } = record
    record.running = undefined
    running?.abort(error)
  }

  /** Ends the attempt and forgets how the last one ended. The next one need not wait until this one has ended. */
  reset(id: string): void {
    const record = this.#records.get(id)
    record.dispatch('cancel')
    this.stop(record, aborted)
    this.#records.hide(record)
  }

  /** Fails the attempts that left the page: the user came back without a response. */
  stepBack(): void {
    for (const { state, running } of this.#records.all()) if (state === 'redirecting') running?.abort(userRejected)
  }
}
