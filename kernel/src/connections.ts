/** What is connected, in the order the user connected it: kept over reloads, wallets that come late, and tabs. */
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { Outcome } from './attempts.js'
import type { ConnectContext, Connector, Credential, StoredAttempt, WalletConnector } from './connector.js'
import type { Parts } from './parts.js'
import { hasShape, quietly, without } from './shape.js'
import {
  aborted,
  accountNotFound,
  connectorNotReady,
  KeybayError,
  redirectUnexpected,
  sessionMissing,
  unknownConnector,
} from './spec/errors.js'
import { sameAccounts, soundAccounts } from './wallet-accounts.js'

export interface Connection {
  readonly connectorId: string
  /** The wallet's own objects; hand them back to its features as they are. */
  readonly accounts: readonly WalletAccount[]
  /** ms since epoch */
  readonly openedAt: number
}
export interface Connections {
  list(): readonly Connection[]
  get(connectorId: string): Connection | undefined
  subscribe(listener: () => void): () => void
}
export interface ConnectionControl extends Connections {
  connect(id: string, input: unknown, signal: AbortSignal | undefined): Promise<Outcome>
  disconnect(id: string): Promise<void>
  /** What a redirect brought back to a connect; `attempt` undefined: nobody here asked for it. */
  resume(connector: Connector, url: URL, attempt: StoredAttempt | undefined): Promise<Outcome>
  start(): () => void
  dispose(): void
}
/** A wallet that does not answer a disconnect holds nobody up longer than this, ms. */
const DISCONNECT_MS = 10_000
const KEY = 'connections'
/** What makes two connectors of one id the same one, whatever was updated of it. */
function faceOf(connector: Connector | undefined) {
  return connector?.kind === 'wallet' ? connector.wallet : connector?.kind
}

export function createConnections({
  config,
  registry,
  attempts,
  session,
  storage,
  tabs,
  bus,
  logger,
  makeStore,
}: Pick<
  Parts,
  'config' | 'registry' | 'attempts' | 'session' | 'storage' | 'tabs' | 'bus' | 'logger' | 'makeStore'
>): ConnectionControl {
  const { clock } = config
  const store = makeStore<readonly Connection[]>([])
  const watching = new Map<string, { readonly wallet: Wallet; readonly off: (() => void) | undefined }>()
  /** What the user wants connected, in order. */
  let wanted: readonly string[] = []
  /** Let go of so far: it counts once the stored ones are read, which may be later. */
  const released = new Set<string>()
  /** Wallets that failed silently once in this page: not asked again until another tab connects one. */
  let refused = new WeakSet<Wallet>()

  const find = (id: string) => store.get().find(({ connectorId }) => connectorId === id)
  const want = (id: string, keep: boolean, tell = true) => {
    if (wanted.includes(id) === keep) return
    wanted = keep ? [...wanted, id] : wanted.filter(other => other !== id)
    if (!tell) return
    void storage.set(KEY, wanted)
    tabs.post({ type: keep ? 'connected' : 'disconnected', data: id })
  }
  const put = (connection: Connection) => {
    const place = ({ connectorId }: Connection) => wanted.indexOf(connectorId)
    const others = without(store.get(), connection.connectorId)
    store.set([...others, connection].sort((a, b) => place(a) - place(b)))
  }
  const unwatch = (id: string) => {
    quietly(() => watching.get(id)?.off?.())
    watching.delete(id)
  }
  const drop = (id: string, by: 'host' | 'wallet' | 'tab') => {
    if (!find(id)) return
    store.set(without(store.get(), id))
    bus.emit('connection:closed', { connectorId: id, by })
  }
  const close = (id: string, by: 'host' | 'wallet' | 'tab') => {
    unwatch(id)
    drop(id, by)
  }
  const opened = (connectorId: string, accounts: readonly WalletAccount[], resumed: boolean): Connection => {
    const connection = { connectorId, accounts, openedAt: clock.now() }
    want(connectorId, true)
    put(connection)
    bus.emit('connection:opened', { connection, resumed })
    return connection
  }
  /** From the first connect until the host lets go; a wallet that locks and unlocks closes and opens again. */
  const watch = ({ id, wallet }: WalletConnector) => {
    unwatch(id)
    const off = wallet.features['standard:events']?.on('change', change => {
      if (!change.accounts) return
      const accounts = soundAccounts(change.accounts)
      const old = find(id)
      if (!accounts.length) drop(id, 'wallet')
      else if (!old) {
        if (wanted.includes(id) && !attempts.busy(id)) opened(id, accounts, true)
      } else if (!sameAccounts(old.accounts, accounts)) {
        const connection = { ...old, accounts }
        put(connection)
        bus.emit('connection:changed', { connection })
      }
    })
    watching.set(id, { wallet, off })
  }
  const openWallet = async (
    connector: WalletConnector,
    { silent, signal }: ConnectContext,
    resumed: boolean,
    answer: unknown,
  ): Promise<Connection> => {
    const { id: connectorId, wallet } = connector
    const accounts = soundAccounts(Array.isArray(answer) ? answer : wallet.accounts)
    signal.throwIfAborted()
    if (!accounts.length) throw new KeybayError(accountNotFound, { connectorId })
    watch(connector)
    return opened(connectorId, accounts, silent || resumed)
  }
  const ask = async (connector: WalletConnector, ctx: ConnectContext) => {
    if (session.prove) await session.prove(connector, ctx)
    if (connector.connect) return connector.connect(ctx)
    const answer = await connector.wallet.features['standard:connect']?.connect(
      ctx.silent ? { silent: true } : undefined,
    )
    return answer?.accounts
  }
  const signIn = (credential: unknown, ctx: ConnectContext) => {
    ctx.signal.throwIfAborted()
    if (!hasShape<Credential>(credential, { method: 'string' })) throw new KeybayError(sessionMissing)
    return session.exchange(credential, ctx)
  }
  const reconnect = (id: string) => {
    const connector = registry.get(id)
    if (connector?.kind !== 'wallet' || connector.readiness !== 'ready') return
    if (!wanted.includes(id) || find(id) || attempts.busy(id) || refused.has(connector.wallet)) return
    attempts
      .run(connector, { silent: true }, async ctx => openWallet(connector, ctx, true, await ask(connector, ctx)))
      .catch(error => {
        if (error.code !== aborted.code) refused.add(connector.wallet)
      })
  }
  return {
    list: store.get,
    get: find,
    subscribe: store.subscribe,
    // Async, yet synchronous up to the connector's gesture: nothing here awaits before it.
    async connect(id, input, signal) {
      const connector = registry.get(id)
      const there = find(id)
      const usable = connector && ['ready', 'loading'].includes(connector.readiness)
      const spec = usable ? undefined : connector ? connectorNotReady : unknownConnector
      const error = spec && new KeybayError(spec, { connectorId: id, detail: connector?.installUrl ?? id })
      // What needs no attempt is shown like one, so that whoever shows attempts need not know.
      if (there || error)
        attempts.begin({
          connectorId: id,
          method: 'connect',
          status: there ? 'succeeded' : 'failed',
          result: there,
          error,
        })
      if (there) return there
      if (!connector || error) throw error
      return attempts.run(connector, { signal }, async ctx =>
        connector.kind === 'wallet'
          ? openWallet(connector, ctx, false, await ask(connector, ctx))
          : signIn(await connector.connect(input, ctx), ctx),
      )
    },
    async disconnect(id) {
      attempts.reset(id)
      const connector = registry.get(id)
      const had = find(id)
      released.add(id)
      want(id, false)
      close(id, 'host')
      if (!had || connector?.kind !== 'wallet') return
      const late = new Promise<void>(resolve => clock.after(DISCONNECT_MS, resolve))
      const tell = async () =>
        connector.disconnect ? connector.disconnect() : connector.wallet.features['standard:disconnect']?.disconnect()
      await Promise.race([tell(), late]).catch(error => logger.warn(`disconnect ${id}`, error))
    },
    resume: (connector, url, attempt) =>
      attempts
        .run(connector, { resumed: true, method: attempt?.method }, async own => {
          const ctx = { ...own, attempt }
          const answer: unknown = await connector.resume?.(url, ctx)
          // The connector has read and cleared the address; an answer that nobody asked for lets nobody in.
          if (!attempt) throw new KeybayError(redirectUnexpected, { connectorId: connector.id })
          if (attempt.method !== 'connect') {
            bus.emit('operation:resumed', { connectorId: connector.id, method: attempt.method, result: answer })
            return find(connector.id) ?? session.current
          }
          return connector.kind === 'wallet' ? openWallet(connector, ctx, true, answer) : signIn(answer, ctx)
        })
        .finally(() => reconnect(connector.id)), // what it may have interrupted
    start() {
      const all = () => wanted.forEach(reconnect)
      const offs = [
        registry.subscribe(() => {
          // Gone, or another wallet has its name: an extension that was updated registers anew.
          for (const { connectorId } of store.get())
            if (faceOf(registry.get(connectorId)) !== watching.get(connectorId)?.wallet) close(connectorId, 'wallet')
          attempts.stop(connector => faceOf(registry.get(connector.id)) !== faceOf(connector), connectorNotReady)
          all()
        }),
        tabs.on(({ type, data }) => {
          if (typeof data !== 'string') return
          if (type === 'disconnected') {
            want(data, false, false)
            close(data, 'tab')
          }
          if (type === 'connected') {
            want(data, true, false)
            // It came back from the redirect in another tab.
            if (attempts.get(data)?.status === 'redirecting') attempts.reset(data)
            refused = new WeakSet()
            reconnect(data)
          }
        }),
      ]
      void storage.get(KEY).then(saved => {
        const stored = Array.isArray(saved) ? saved.filter(id => typeof id === 'string') : []
        wanted = [...new Set([...stored, ...wanted])]
        for (const id of released) want(id, false)
        all()
      })
      return () => {
        for (const off of offs) off()
      }
    },
    dispose() {
      for (const id of [...watching.keys()]) unwatch(id)
      store.set([])
    },
  }
}
