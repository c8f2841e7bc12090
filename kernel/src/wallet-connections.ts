/** Opens and closes the connections of wallets, and follows the accounts that each wallet reports by itself. */
import type { WalletAccount } from '@wallet-standard/base'
import type { WalletConnector } from './connector.js'
import type { Bus } from './events.js'
import { type ConnectorRecord, type ConnectorRecords, dispatch } from './records.js'
import { sameAccounts } from './same-accounts.js'
import type { Connection } from './snapshots.js'
import type { Clock } from './spec/clock.js'
import { quietly } from './spec/shape.js'
import type { ConnectorEvent } from './states.js'
import type { KeyValue } from './storage.js'
import type { Tabs } from './tabs.js'
import { soundAccounts } from './wallet-accounts.js'

export const CONNECTIONS_KEY = 'connections'

interface Dependencies {
  readonly clock: Clock
  readonly bus: Bus
  readonly storage: KeyValue
  readonly tabs: Tabs
}
export interface WalletConnections {
  open(record: ConnectorRecord, accounts: readonly WalletAccount[], resumed: boolean): Connection
  /** Listens from the first connect until the app disconnects: a wallet that locks and unlocks closes and opens again. */
  watch(record: ConnectorRecord, connector: WalletConnector): void
  unwatch(record: ConnectorRecord): void
  /** Stores whether the user wants it connected, and tells the other tabs. */
  want(record: ConnectorRecord, isWanted: boolean): void
  /** Closes the connection, if there is one, and stops listening to the wallet. */
  end(record: ConnectorRecord, event: ConnectorEvent, by: 'host' | 'wallet' | 'tab'): void
}

export function createWalletConnections(
  records: ConnectorRecords,
  { clock, bus, storage, tabs }: Dependencies,
): WalletConnections {
  const want: WalletConnections['want'] = (record, isWanted) => {
    if (!records.want(record, isWanted)) return
    const ids = records.wanted().map(({ id }) => id)
    void storage.set(CONNECTIONS_KEY, ids)
    tabs.post({ type: isWanted ? 'connected' : 'disconnected', data: record.id })
  }
  const open: WalletConnections['open'] = (record, accounts, resumed) => {
    const connection = { connectorId: record.id, accounts, openedAt: clock.now() }
    want(record, true)
    records.setConnection(record, connection)
    bus.emit('connection:opened', { connection, resumed })
    return connection
  }
  const close = (record: ConnectorRecord, by: 'host' | 'wallet' | 'tab') => {
    if (!record.connection) return
    records.setConnection(record, undefined)
    bus.emit('connection:closed', { connectorId: record.id, by })
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
      records.setConnection(record, connection)
      bus.emit('connection:changed', { connection })
    }
  }
  return {
    open,
    want,
    unwatch,
    watch(record, { wallet }) {
      unwatch(record)
      record.unwatch = wallet.features['standard:events']?.on('change', ({ accounts }) => {
        // A wallet may go on reporting after it was told to stop.
        if (accounts && record.face === wallet && records.isWanted(record))
          followAccounts(record, soundAccounts(accounts))
      })
    },
    end(record, event, by) {
      dispatch(record, event)
      unwatch(record)
      close(record, by)
    },
  }
}
