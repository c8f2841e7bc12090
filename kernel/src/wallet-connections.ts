/** Opens and closes the connections of wallets, and follows the accounts that each wallet reports by itself. */
import type { WalletAccount } from '@wallet-standard/base'
import type { WalletConnector } from './connector.js'
import type { Base } from './kernel.js'
import { type ConnectorRecord, type ConnectorRecords, dispatch } from './records.js'
import type { Connection, Connections } from './snapshots.js'
import { quietly } from './spec/shape.js'
import type { ConnectorEvent } from './states.js'
import { sameAccounts, soundAccounts } from './wallet-accounts.js'

/** The storage key of the connectors that the user wants connected. */
const KEY = 'connections'

export interface WalletConnections {
  /** The connections as hosts read them. */
  readonly snapshots: Connections
  open(record: ConnectorRecord, accounts: readonly WalletAccount[], resumed: boolean): Connection
  /** Listens from the first connect until the app disconnects: a wallet that locks and unlocks closes and opens again. */
  watch(record: ConnectorRecord, connector: WalletConnector): void
  /** Keeps whether the user wants it connected; stores it and tells the other tabs, unless another tab did. */
  want(record: ConnectorRecord, wants: boolean, byTab?: boolean): void
  /** Returns the connectors that the user wants connected, in the order in which the user connected them. */
  wanted(): readonly ConnectorRecord[]
  /** Puts the stored connectors before those that were connected since. */
  restore(): Promise<void>
  /** Closes the connection, if there is one, and stops listening to the wallet. Without `by` no event reports it. */
  end(record: ConnectorRecord, event: ConnectorEvent, by?: 'host' | 'wallet' | 'tab'): void
}

export function createWalletConnections(
  records: ConnectorRecords,
  { clock, events, storage, tabs, makeStore }: Base,
): WalletConnections {
  let wantedIds = new Set<string>()
  const store = makeStore<readonly Connection[]>([])
  const wanted = () => [...wantedIds].map(records.get)
  const want: WalletConnections['want'] = (record, wants, byTab) => {
    const { id } = record
    if (wantedIds.has(id) === wants) return
    record.isReleased = !wants
    if (wants) wantedIds.add(id)
    else wantedIds.delete(id)
    if (byTab) return
    void storage.set(KEY, [...wantedIds])
    tabs.post({ type: wants ? 'connected' : 'disconnected', data: id })
  }
  const setConnection = (record: ConnectorRecord, connection: Connection | undefined) => {
    record.connection = connection
    store.set(wanted().flatMap(({ connection }) => connection ?? []))
  }
  const open: WalletConnections['open'] = (record, accounts, resumed) => {
    const connection = { connectorId: record.id, accounts, openedAt: clock.now() }
    want(record, true)
    setConnection(record, connection)
    events.emit('connection:opened', { connection, resumed })
    return connection
  }
  const close = (record: ConnectorRecord, by: 'host' | 'wallet' | 'tab' | undefined) => {
    if (!record.connection) return
    setConnection(record, undefined)
    if (by) events.emit('connection:closed', { connectorId: record.id, by })
  }
  const unwatch = (record: ConnectorRecord) => {
    quietly(() => record.unwatch?.())
    record.unwatch = undefined
  }
  const followAccounts = (record: ConnectorRecord, accounts: readonly WalletAccount[]) => {
    const { connection: previous } = record
    if (!accounts.length) {
      dispatch(record, 'lock')
      close(record, 'wallet')
    } else if (!previous) {
      if (dispatch(record, 'accounts')) open(record, accounts, true)
    } else if (!sameAccounts(previous.accounts, accounts)) {
      const connection = { ...previous, accounts }
      setConnection(record, connection)
      events.emit('connection:changed', { connection })
    }
  }
  return {
    snapshots: { list: store.get, subscribe: store.subscribe, get: id => records.get(id).connection },
    open,
    want,
    wanted,
    watch(record, { wallet }) {
      unwatch(record)
      record.unwatch = wallet.features['standard:events']?.on('change', ({ accounts }) => {
        // A wallet may go on reporting after it was told to stop.
        if (accounts && record.face === wallet && wantedIds.has(record.id))
          followAccounts(record, soundAccounts(accounts))
      })
    },
    async restore() {
      const saved = await storage.get(KEY)
      const ids = Array.isArray(saved) ? saved.filter(id => typeof id === 'string') : []
      wantedIds = new Set([...ids, ...wantedIds])
      for (const record of records.all()) if (record.isReleased) want(record, false)
    },
    end(record, event, by) {
      dispatch(record, event)
      unwatch(record)
      close(record, by)
    },
  }
}
