import type { Connector, LoginMethod } from '@keybay/kernel'
import { useKeybay } from './context.js'
import { useList } from './list.js'

export interface ConnectorFilter {
  readonly kind?: Connector['kind'] | undefined
  readonly readiness?: Connector['readiness'] | undefined
  /** Logins of this method only. */
  readonly method?: LoginMethod | undefined
}

/**
 * Returns the installed connectors in order, with one render per batch of changes. On a server: those that plugins declare.
 *
 * @example
 * const wallets = useConnectors({ kind: 'wallet' })
 * return wallets.map(wallet => <button key={wallet.id} onClick={() => connect.run(wallet.id)}>{wallet.name}</button>)
 */
export function useConnectors(filter: ConnectorFilter = {}): readonly Connector[] {
  const { connectors } = useKeybay()
  const conditions = Object.entries(filter)
  const narrow = (list: readonly Connector[]) =>
    list.filter(connector => conditions.every(([key, value]) => !value || Reflect.get(connector, key) === value))
  return useList(
    connectors,
    () => narrow(connectors.list()),
    () => narrow(connectors.serverList()),
  )
}
