/** Opens and closes the connections of wallets, and follows the accounts that each wallet reports by itself. */
import type { WalletAccount } from '@wallet-standard/base'
import type { WalletConnector } from './connector.js'
import type { Bus } from './events.js'
import type { ConnectorRecord, ConnectorRecords } from './records.js'
import { quietly } from './shape.js'
import type { Connection } from './snapshots.js'
import type { Clock } from './spec/clock.js'
import type { ConnectorEvent } from './states.js'
import type { KeyValue } from './storage.js'
import type { Tabs } from './tabs.js'
import { sameAccounts, soundAccounts } from './wallet-accounts.js'

export const CONNECTIONS_KEY = 'connections'

interface Dependencies {
  readonly clock: Clock
  readonly bus: Bus
  readonly storage: KeyValue
  readonly tabs: Tabs
}

export class WalletConnections {
  readonly #records: ConnectorRecords
  readonly #use: Dependencies

  constructor(records: ConnectorRecords, dependencies: Dependencies) {
    this.#records = records
    this.#use = dependencies
  }

  open(record: ConnectorRecord, accounts: readonly WalletAccount[], resumed: boolean): Connection {
    const connection = { connectorId: record.id, accounts, openedAt: this.#use.clock.now() }
    this.want(record, true)
    this.#records.setConnection(record, connection)
    this.#use.bus.emit('connection:opened', { connection, resumed })
    return connection
  }

  /** Listens from the first connect until the app disconnects: a wallet that locks and unlocks closes and opens again. */
  watch(record: ConnectorRecord, { wallet }: WalletConnector): void {
    this.unwatch(record)
    record.stopWatching = wallet.features['standard:events']?.on('change', ({ accounts }) => {
      // A wallet may go on reporting after it was told to stop.
      if (accounts && record.face === wallet && record.place !== undefined)
        this.#followAccounts(record, soundAccounts(accounts))
    })
  }
  unwatch(record: ConnectorRecord): void {
    quietly(() => record.stopWatching?.())
    record.stopWatching = undefined
  }

  #followAccounts(record: ConnectorRecord, accounts: readonly WalletAccount[]) {
    const { connection: previous } = record
    if (!accounts.length) {
      record.dispatch('lock')
      this.#close(record, 'wallet')
    } else if (!previous) {
      if (record.dispatch('accounts')) this.open(record, accounts, true)
    } else if (!sameAccounts(previous.accounts, accounts)) {
      const connection = { ...previous, accounts }
      this.#records.setConnection(record, connection)
      this.#use.bus.emit('connection:changed', { connection })
    }
  }

  /** Stores whether the user wants it connected, and tells the other tabs. */
  want(record: ConnectorRecord, isWanted: boolean): void {
    if (!this.#records.want(record, isWanted)) return
    const ids = this.#records.wanted().map(({ id }) => id)
    void this.#use.storage.set(CONNECTIONS_KEY, ids)
    this.#use.tabs.post({ type: isWanted ? 'connected' : 'disconnected', data: record.id })
  }

  /** Closes the connection, if there is one, and stops listening to the wallet. */
  end(record: ConnectorRecord, event: ConnectorEvent, by: 'host' | 'wallet' | 'tab'): void {
    record.dispatch(event)
    this.unwatch(record)
    this.#close(record, by)
  }
  #close(record: ConnectorRecord, by: 'host' | 'wallet' | 'tab') {
    if (!record.connection) return
    this.#records.setConnection(record, undefined)
    this.#use.bus.emit('connection:closed', { connectorId: record.id, by })
  }
}
