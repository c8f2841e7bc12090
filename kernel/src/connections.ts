/** Tracks open connections in the order in which the user opened them. Survives reloads, late wallets and other tabs. */
import type { AttemptServices } from './attempt.js'
import { createAttempts, getFace } from './attempts.js'
import type { ConnectContext, Connector, Credential, StoredAttempt, WalletConnector } from './connector.js'
import type { Bus, MakeStore } from './events.js'
import { type ConnectorRecord, createRecords, dispatch } from './records.js'
import type { ConnectorRegistry } from './registry.js'
import type { SessionService } from './session.js'
import type { Attempts, Connections, Outcome } from './snapshots.js'
import type { Clock } from './spec/clock.js'
import {
  aborted,
  accountNotFound,
  connectorNotReady,
  disposed,
  KeybayError,
  redirectUnexpected,
  sessionMissing,
  unknownConnector,
} from './spec/errors.js'
import { hasShape } from './spec/shape.js'
import type { ConnectorState } from './states.js'
import type { KeyValue } from './storage.js'
import type { Tabs } from './tabs.js'
import { soundAccounts } from './wallet-accounts.js'
import { CONNECTIONS_KEY, createWalletConnections } from './wallet-connections.js'

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

function findObstacle(connector: Connector | undefined, connectorId: string): KeybayError | undefined {
  if (connector && /^(ready|loading)$/.test(connector.readiness)) return undefined
  const detail = connector?.installUrl ?? connectorId
  return new KeybayError(connector ? connectorNotReady : unknownConnector, { connectorId, detail })
}

/** Connects a wallet. Proves it first if required; otherwise nothing is awaited, so that the click reaches the wallet. */
async function askWallet(session: SessionService, connector: WalletConnector, ctx: ConnectContext, prove: boolean) {
  const proof = session.prove(connector, ctx, prove)
  if (proof) await proof
  if (connector.connect) return connector.connect(ctx)
  const connect = connector.wallet.features['standard:connect']
  return (await connect?.connect(ctx.silent ? { silent: true } : undefined))?.accounts
}

function signIn(session: SessionService, credential: unknown, ctx: ConnectContext) {
  ctx.signal.throwIfAborted()
  if (!hasShape<Credential>(credential, { method: 'string' })) throw new KeybayError(sessionMissing)
  return session.exchange(credential, ctx)
}

/** Has the wallet disconnect, for as long as `DISCONNECT_TIMEOUT_MS`. */
async function releaseWallet(connector: WalletConnector, clock: Clock, onError: (error: unknown) => void) {
  let disarm = () => {}
  const late = new Promise<void>(resolve => {
    disarm = clock.after(DISCONNECT_TIMEOUT_MS, resolve)
  })
  const askToDisconnect = async () =>
    connector.disconnect ? connector.disconnect() : connector.wallet.features['standard:disconnect']?.disconnect()
  await Promise.race([askToDisconnect(), late]).catch(onError)
  disarm()
}

/** Keeps the wallets connected that the user wants connected: over reloads, late wallets and other tabs. */
function createReconnection(
  { registry, session, storage, tabs }: Dependencies,
  { records, attempts, wallets, openWallet }: Parts,
) {
  const reconnect = (record: ConnectorRecord) => {
    const connector = registry.get(record.id)
    if (connector?.kind !== 'wallet' || connector.readiness !== 'ready') return
    if (!records.isWanted(record) || record.state !== 'idle' || record.running) return
    attempts
      .run('reconnect', { connector }, async ctx =>
        openWallet(connector, ctx, true, await askWallet(session, connector, ctx, false)),
      )
      .catch(() => {}) // the state says so
  }
  const reconnectAll = () => records.wanted().forEach(reconnect)
  const followRegistry = () => {
    for (const record of records.all())
      if (record.face !== undefined && record.face !== getFace(registry.get(record.id))) {
        record.face = undefined
        attempts.stop(record, connectorNotReady)
        wallets.end(record, 'remove', 'wallet')
      }
    reconnectAll()
  }
  const followTab = (type: string, record: ConnectorRecord) => {
    if (type === 'disconnected') {
      records.want(record, false)
      if (record.state === 'reconnecting') attempts.stop(record, aborted)
      wallets.end(record, 'tabDisconnect', 'tab')
    }
    if (type === 'connected') {
      records.want(record, true)
      if (record.state === 'redirecting') attempts.reset(record.id) // its response came to the other tab
      dispatch(record, 'tabConnect')
      reconnect(record)
    }
  }
  return {
    reconnect,
    start() {
      const stops = [
        registry.subscribe(followRegistry),
        tabs.on(({ type, data }) => {
          if (typeof data === 'string') followTab(type, records.get(data))
        }),
      ]
      void storage.get(CONNECTIONS_KEY).then(saved => {
        records.restore(Array.isArray(saved) ? saved.filter(id => typeof id === 'string') : [])
        for (const record of records.all()) if (record.isReleased) wallets.want(record, false)
        reconnectAll()
      })
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

function createParts(dependencies: Dependencies) {
  const { config, bus, makeStore } = dependencies
  const records = createRecords(makeStore)
  const attempts = createAttempts(records, bus, dependencies)
  const wallets = createWalletConnections(records, { ...dependencies, clock: config.clock })
  const openWallet = async (connector: WalletConnector, ctx: ConnectContext, resumed: boolean, response: unknown) => {
    const { id: connectorId, wallet } = connector
    const accounts = soundAccounts(Array.isArray(response) ? response : wallet.accounts)
    ctx.signal.throwIfAborted()
    if (!accounts.length) throw new KeybayError(accountNotFound, { connectorId })
    const record = records.get(connectorId)
    wallets.watch(record, connector)
    dispatch(record, 'open')
    return wallets.open(record, accounts, resumed)
  }
  return { records, attempts, wallets, openWallet }
}
type Parts = ReturnType<typeof createParts>

export function createConnections(dependencies: Dependencies): {
  readonly connections: ConnectionService
  readonly attempts: Attempts
} {
  const { config, registry, session, bus, logger } = dependencies
  const parts = createParts(dependencies)
  const { records, attempts, wallets, openWallet } = parts
  const { reconnect, start } = createReconnection(dependencies, parts)
  const connections: ConnectionService = {
    ...records.connections,
    start,
    stepBack: attempts.stepBack,
    state: id => records.get(id).state,
    // Async, but synchronous up to the connector's gesture and the wallet: nothing is awaited before them.
    async connect(connectorId, input, signal, prove = false) {
      const { connection: result } = records.get(connectorId)
      const shown = { connectorId, method: 'connect' }
      // A UI shows attempts, so calls that need none are shown as one, too.
      if (result) {
        records.show({ ...shown, status: 'succeeded', result })
        return result
      }
      const connector = registry.get(connectorId)
      const error = findObstacle(connector, connectorId)
      if (error) records.show({ ...shown, status: 'failed', error })
      if (error || !connector) throw error
      return attempts.run('connect', { connector, signal }, async ctx =>
        connector.kind === 'wallet'
          ? openWallet(connector, ctx, false, await askWallet(session, connector, ctx, prove))
          : signIn(session, await connector.connect(input, ctx), ctx),
      )
    },
    async disconnect(id) {
      const connector = registry.get(id)
      const record = records.get(id)
      const wasOpen = record.connection !== undefined
      record.isReleased = true
      attempts.reset(id)
      wallets.want(record, false)
      wallets.end(record, 'disconnect', 'host')
      if (wasOpen && connector?.kind === 'wallet')
        await releaseWallet(connector, config.clock, error => logger.warn(`disconnect ${id}`, error))
    },
    resume(connector, url, attempt) {
      const { id: connectorId } = connector
      const { method = 'connect' } = attempt ?? {}
      return attempts
        .run('resume', { connector, method }, async context => {
          const ctx = { ...context, attempt }
          const response: unknown = await connector.resume?.(url, ctx)
          // The connector has cleared the address. Ignore responses to requests this app never made.
          if (!attempt) throw new KeybayError(redirectUnexpected, { connectorId })
          if (method !== 'connect') {
            bus.emit('operation:resumed', { connectorId, method, result: response })
            return records.get(connectorId).connection ?? session.current
          }
          return connector.kind === 'wallet'
            ? openWallet(connector, ctx, true, response)
            : signIn(session, response, ctx)
        })
        .finally(() => reconnect(records.get(connectorId))) // which the response may have interrupted
    },
    dispose() {
      for (const record of records.all()) {
        record.running?.abort(disposed)
        dispatch(record, 'dispose')
        wallets.unwatch(record)
        records.setConnection(record, undefined)
      }
    },
  }
  return { connections, attempts: { ...records.attempts, reset: attempts.reset } }
}
