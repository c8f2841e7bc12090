/** Tracks open connections in the order in which the user opened them. Survives reloads, late wallets and other tabs. */
import type { AttemptServices } from './attempt.js'
import { createAttempts, getFace } from './attempts.js'
import type { ConnectContext, Connector, Credential, StoredAttempt, WalletConnector } from './connector.js'
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
import { soundAccounts } from './wallet-accounts.js'
import { createWalletConnections } from './wallet-connections.js'

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
  readonly connectors: ConnectorRegistry
  readonly session: SessionService
}

/** How long `disconnect` waits for the wallet. */
const DISCONNECT_TIMEOUT_MS = 10_000

/** Connects a wallet. Proves it first if required; otherwise nothing is awaited, so that the click reaches the wallet. */
async function askWallet(session: SessionService, connector: WalletConnector, ctx: ConnectContext, prove?: boolean) {
  const proof = session.prove(connector, ctx, prove)
  if (proof) await proof
  if (connector.connect) return connector.connect(ctx)
  const connect = connector.wallet.features['standard:connect']
  return (await connect?.connect(ctx.silent ? { silent: true } : undefined))?.accounts
}

/** Has the wallet disconnect, and gives up after `DISCONNECT_TIMEOUT_MS`. */
async function releaseWallet(connector: WalletConnector, clock: Clock) {
  let disarm = () => {}
  const late = new Promise<void>(resolve => {
    disarm = clock.after(DISCONNECT_TIMEOUT_MS, resolve)
  })
  const release = async () =>
    connector.disconnect ? connector.disconnect() : connector.wallet.features['standard:disconnect']?.disconnect()
  await Promise.race([release(), late]).finally(disarm)
}

/** Keeps the wallets connected that the user wants connected: over reloads, late wallets and other tabs. */
function createReconnection(
  { connectors, session, tabs }: Dependencies,
  { records, attempts, wallets, settle }: Parts,
) {
  const reconnect = (record: ConnectorRecord) => {
    const connector = connectors.get(record.id)
    if (connector?.kind !== 'wallet' || connector.readiness !== 'ready') return
    if (!wallets.wanted().includes(record) || record.state !== 'idle' || record.running) return
    attempts
      .run('reconnect', { connector }, async ctx =>
        settle(connector, ctx, true, await askWallet(session, connector, ctx)),
      )
      .catch(() => {}) // the state says so
  }
  const reconnectAll = () => wallets.wanted().forEach(reconnect)
  const followRegistry = () => {
    for (const record of records.all())
      if (record.face !== undefined && record.face !== getFace(connectors.get(record.id))) {
        record.face = undefined
        attempts.stop(record, connectorNotReady)
        wallets.end(record, 'remove', 'wallet')
      }
    reconnectAll()
  }
  const followTab = (type: string, record: ConnectorRecord) => {
    if (type === 'disconnected') {
      wallets.want(record, false, true)
      if (record.state === 'reconnecting') attempts.stop(record, aborted)
      wallets.end(record, 'tabDisconnect', 'tab')
    }
    if (type === 'connected') {
      wallets.want(record, true, true)
      if (record.state === 'redirecting') attempts.snapshots.reset(record.id) // its response came to the other tab
      dispatch(record, 'tabConnect')
      reconnect(record)
    }
  }
  return {
    reconnect,
    start() {
      const offRegistry = connectors.subscribe(followRegistry)
      const offTabs = tabs.on(({ type, data }) => {
        if (typeof data === 'string') followTab(type, records.get(data))
      })
      void wallets.restore().then(reconnectAll)
      return () => {
        offRegistry()
        offTabs()
      }
    },
  }
}

function createParts(dependencies: Dependencies) {
  const records = createRecords()
  const attempts = createAttempts(records, dependencies)
  const wallets = createWalletConnections(records, dependencies)
  /** Opens the connection of a wallet, or exchanges the credential of a login for a session. */
  const settle = async (connector: Connector, ctx: ConnectContext, resumed: boolean, response: unknown) => {
    const { id: connectorId } = connector
    ctx.signal.throwIfAborted()
    if (connector.kind === 'login') {
      if (!hasShape<Credential>(response, { method: 'string' })) throw new KeybayError(sessionMissing)
      return dependencies.session.exchange(response, ctx)
    }
    const accounts = soundAccounts(Array.isArray(response) ? response : connector.wallet.accounts)
    if (!accounts.length) throw new KeybayError(accountNotFound, { connectorId })
    const record = records.get(connectorId)
    wallets.watch(record, connector)
    dispatch(record, 'open')
    return wallets.open(record, accounts, resumed)
  }
  return { records, attempts, wallets, settle }
}
type Parts = ReturnType<typeof createParts>

export function createConnections(dependencies: Dependencies): {
  readonly connections: ConnectionService
  readonly attempts: Attempts
} {
  const { config, connectors, session, events, logger } = dependencies
  const parts = createParts(dependencies)
  const { records, attempts, wallets, settle } = parts
  const { reconnect, start } = createReconnection(dependencies, parts)
  const connections: ConnectionService = {
    ...wallets.snapshots,
    start,
    stepBack: attempts.stepBack,
    state: id => records.get(id).state,
    // Async, but synchronous up to the connector's gesture and the wallet: nothing is awaited before them.
    async connect(connectorId, input, signal, prove) {
      // A UI shows attempts, so calls that need none are shown as one, too.
      const shown = { connectorId, method: 'connect' }
      const { connection: result } = records.get(connectorId)
      if (result) {
        attempts.show({ ...shown, status: 'succeeded', result })
        return result
      }
      const connector = connectors.get(connectorId)
      if (!connector || !/^(ready|loading)$/.test(connector.readiness)) {
        const error = new KeybayError(connector ? connectorNotReady : unknownConnector, {
          connectorId,
          detail: connector?.installUrl ?? connectorId,
        })
        attempts.show({ ...shown, status: 'failed', error })
        throw error
      }
      return attempts.run('connect', { connector, signal }, async ctx =>
        settle(
          connector,
          ctx,
          false,
          await (connector.kind === 'wallet'
            ? askWallet(session, connector, ctx, prove)
            : connector.connect(input, ctx)),
        ),
      )
    },
    async disconnect(id) {
      const connector = connectors.get(id)
      const record = records.get(id)
      const { connection } = record
      record.isReleased = true
      attempts.snapshots.reset(id)
      wallets.want(record, false)
      wallets.end(record, 'disconnect', 'host')
      if (connection && connector?.kind === 'wallet')
        await releaseWallet(connector, config.clock).catch(error => logger.warn(`disconnect ${id}`, error))
    },
    resume(connector, url, attempt) {
      const { id: connectorId } = connector
      return attempts
        .run('resume', { connector, method: attempt?.method }, async context => {
          const ctx = { ...context, attempt }
          const response: unknown = await connector.resume?.(url, ctx)
          // The connector has cleared the address. Ignore responses to requests this app never made.
          if (!attempt) throw new KeybayError(redirectUnexpected, { connectorId })
          const { method } = attempt
          if (method !== 'connect') {
            events.emit('operation:resumed', { connectorId, method, result: response })
            return records.get(connectorId).connection ?? session.current
          }
          return settle(connector, ctx, true, response)
        })
        .finally(() => reconnect(records.get(connectorId))) // which the response may have interrupted
    },
    dispose() {
      for (const record of records.all()) {
        record.running?.abort(disposed)
        wallets.end(record, 'dispose')
      }
    },
  }
  return { connections, attempts: attempts.snapshots }
}
