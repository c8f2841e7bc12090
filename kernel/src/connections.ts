/** Tracks open connections in the order in which the user opened them. Survives reloads, late wallets and other tabs. */
import type { AttemptServices } from './attempt.js'
import { AttemptRunner, faceOf } from './attempts.js'
import type { ConnectContext, Connector, Credential, StoredAttempt, WalletConnector } from './connector.js'
import type { Bus, MakeStore } from './events.js'
import { type ConnectorRecord, ConnectorRecords } from './records.js'
import type { ConnectorRegistry } from './registry.js'
import type { SessionService } from './session.js'
import { hasShape } from './shape.js'
import type { Attempts, Connections, Outcome } from './snapshots.js'
import {
  aborted,
  accountNotFound,
  connectorNotReady,
  disposed,
  KeybayError,
  redirectUnexpected,
  sessionMissing,
  toKeybayError,
  unknownConnector,
} from './spec/errors.js'
import type { ConnectorState } from './states.js'
import type { KeyValue } from './storage.js'
import type { TabMessage, Tabs } from './tabs.js'
import { soundAccounts } from './wallet-accounts.js'
import { CONNECTIONS_KEY, WalletConnections } from './wallet-connections.js'

export interface ConnectionService extends Connections {
  connect(id: string, input: unknown, signal: AbortSignal | undefined, prove?: boolean): Promise<Outcome>
  disconnect(id: string): Promise<void>
  /** See the table in the README. */
  state(id: string): ConnectorState
  /** Reads the response of a redirect. `attempt` is undefined when this app did not start it. */
  resume(connector: Connector, url: URL, attempt: StoredAttempt | undefined): Promise<Outcome>
  /** Fails the attempts that left the page: the user came back without a response. */
  stepBack(): void
  start(): () => void
  dispose(): void
}
interface Dependencies extends AttemptServices {
  readonly registry: ConnectorRegistry
  readonly session: SessionService
  readonly storage: KeyValue
  readonly tabs: Tabs
  readonly bus: Bus
  readonly makeStore: MakeStore
}

/** How long `disconnect` waits for the wallet. */
const DISCONNECT_TIMEOUT_MS = 10_000

function findUsable(connector: Connector | undefined, connectorId: string): Connector {
  if (!connector) throw new KeybayError(unknownConnector, { connectorId, detail: connectorId })
  if (connector.readiness === 'ready' || connector.readiness === 'loading') return connector
  throw new KeybayError(connectorNotReady, { connectorId, detail: connector.installUrl ?? connectorId })
}

class ConnectionManager {
  readonly records: ConnectorRecords
  readonly attempts: AttemptRunner
  readonly #wallets: WalletConnections
  readonly #use: Dependencies

  constructor(dependencies: Dependencies) {
    const { config, bus, makeStore } = dependencies
    this.#use = dependencies
    this.records = new ConnectorRecords(makeStore)
    this.attempts = new AttemptRunner(this.records, bus, dependencies)
    this.#wallets = new WalletConnections(this.records, { ...dependencies, clock: config.clock })
  }

  // Async, but synchronous up to the connector's gesture and the wallet: nothing is awaited before them.
  async connect(id: string, input: unknown, signal: AbortSignal | undefined, prove: boolean): Promise<Outcome> {
    const { records } = this
    const { connection: result } = records.get(id)
    const shown = { connectorId: id, method: 'connect' } as const
    // A UI shows attempts, so calls that need none are shown as one, too.
    if (result) {
      records.show({ ...shown, status: 'succeeded', result })
      return result
    }
    let connector: Connector
    try {
      connector = findUsable(this.#use.registry.get(id), id)
    } catch (thrown) {
      const error = toKeybayError(thrown, id)
      records.show({ ...shown, status: 'failed', error })
      throw error
    }
    return this.attempts.run('connect', { connector, signal }, async ctx =>
      connector.kind === 'wallet'
        ? this.#openWallet(connector, ctx, false, await this.#askWallet(connector, ctx, prove))
        : this.#signIn(await connector.connect(input, ctx), ctx),
    )
  }

  async disconnect(id: string): Promise<void> {
    const { registry, config, logger } = this.#use
    const connector = registry.get(id)
    const record = this.records.get(id)
    const wasOpen = record.connection !== undefined
    record.isReleased = true
    this.attempts.reset(id)
    this.#wallets.want(record, false)
    this.#wallets.end(record, 'disconnect', 'host')
    if (!wasOpen || connector?.kind !== 'wallet') return
    let disarm = () => {}
    const late = new Promise<void>(resolve => {
      disarm = config.clock.after(DISCONNECT_TIMEOUT_MS, resolve)
    })
    const askWallet = async () =>
      connector.disconnect ? connector.disconnect() : connector.wallet.features['standard:disconnect']?.disconnect()
    await Promise.race([askWallet(), late]).catch(error => logger.warn(`disconnect ${id}`, error))
    disarm()
  }

  resume(connector: Connector, url: URL, attempt: StoredAttempt | undefined): Promise<Outcome> {
    const { bus, session } = this.#use
    const { id: connectorId } = connector
    return this.attempts
      .run('resume', { connector, method: attempt?.method }, async context => {
        const ctx = { ...context, attempt }
        const response: unknown = await connector.resume?.(url, ctx)
        // The connector has cleared the address. Ignore responses to requests this app never made.
        if (!attempt) throw new KeybayError(redirectUnexpected, { connectorId })
        const { method } = attempt
        if (method !== 'connect') {
          bus.emit('operation:resumed', { connectorId, method, result: response })
          return this.records.get(connectorId).connection ?? session.current
        }
        return connector.kind === 'wallet'
          ? this.#openWallet(connector, ctx, true, response)
          : this.#signIn(response, ctx)
      })
      .finally(() => this.#reconnect(this.records.get(connectorId))) // which the response may have interrupted
  }

  start(): () => void {
    const { registry, tabs, storage } = this.#use
    const stops = [
      registry.subscribe(() => this.#followRegistry()),
      tabs.on(({ type, data }) => {
        if (typeof data === 'string') this.#followTab(type, this.records.get(data))
      }),
    ]
    void storage.get(CONNECTIONS_KEY).then(saved => {
      this.records.restore(Array.isArray(saved) ? [...new Set(saved.filter(id => typeof id === 'string'))] : [])
      for (const record of this.records.all()) if (record.isReleased) this.#wallets.want(record, false)
      this.#reconnectAll()
    })
    return () => {
      for (const stop of stops) stop()
    }
  }

  dispose(): void {
    for (const record of this.records.all()) {
      record.running?.abort(disposed)
      record.dispatch('dispose')
      this.#wallets.unwatch(record)
      this.records.setConnection(record, undefined)
    }
  }

  #reconnect(record: ConnectorRecord) {
    const connector = this.#use.registry.get(record.id)
    if (connector?.kind !== 'wallet' || connector.readiness !== 'ready') return
    if (record.place === undefined || record.state !== 'idle' || record.running) return
    this.attempts
      .run('reconnect', { connector }, async ctx =>
        this.#openWallet(connector, ctx, true, await this.#askWallet(connector, ctx, false)),
      )
      .catch(() => {}) // the state says so
  }
  #reconnectAll() {
    for (const record of this.records.wanted()) this.#reconnect(record)
  }

  async #askWallet(connector: WalletConnector, ctx: ConnectContext, prove: boolean) {
    const proof = this.#use.session.prove(connector, ctx, prove)
    if (proof) await proof
    if (connector.connect) return connector.connect(ctx)
    const connect = connector.wallet.features['standard:connect']
    return (await connect?.connect(ctx.silent ? { silent: true } : undefined))?.accounts
  }

  #signIn(credential: unknown, ctx: ConnectContext) {
    ctx.signal.throwIfAborted()
    if (!hasShape<Credential>(credential, { method: 'string' })) throw new KeybayError(sessionMissing)
    return this.#use.session.exchange(credential, ctx)
  }

  async #openWallet(connector: WalletConnector, ctx: ConnectContext, resumed: boolean, response: unknown) {
    const { id: connectorId, wallet } = connector
    const accounts = soundAccounts(Array.isArray(response) ? response : wallet.accounts)
    ctx.signal.throwIfAborted()
    if (!accounts.length) throw new KeybayError(accountNotFound, { connectorId })
    const record = this.records.get(connectorId)
    this.#wallets.watch(record, connector)
    record.dispatch('open')
    return this.#wallets.open(record, accounts, resumed)
  }

  #followRegistry() {
    for (const record of this.records.all())
      if (record.face !== undefined && record.face !== faceOf(this.#use.registry.get(record.id))) {
        record.face = undefined
        this.attempts.stop(record, connectorNotReady)
        this.#wallets.end(record, 'remove', 'wallet')
      }
    this.#reconnectAll()
  }

  #followTab(type: TabMessage['type'], record: ConnectorRecord) {
    if (type === 'disconnected') {
      this.records.want(record, false)
      if (record.state === 'reconnecting') this.attempts.stop(record, aborted)
      this.#wallets.end(record, 'tabDisconnect', 'tab')
    }
    if (type === 'connected') {
      this.records.want(record, true)
      if (record.state === 'redirecting') this.attempts.reset(record.id) // its response came to the other tab
      record.dispatch('tabConnect')
      this.#reconnect(record)
    }
  }
}

export function createConnections(dependencies: Dependencies): {
  readonly connections: ConnectionService
  readonly attempts: Attempts
} {
  const manager = new ConnectionManager(dependencies)
  return {
    attempts: { ...manager.records.attempts, reset: id => manager.attempts.reset(id) },
    connections: {
      ...manager.records.connections,
      connect: (id, input, signal, prove = false) => manager.connect(id, input, signal, prove),
      disconnect: id => manager.disconnect(id),
      state: id => manager.records.get(id).state,
      resume: (connector, url, attempt) => manager.resume(connector, url, attempt),
      stepBack: () => manager.attempts.stepBack(),
      start: () => manager.start(),
      dispose: () => manager.dispose(),
    },
  }
}
