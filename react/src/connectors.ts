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
 * Everything that is installed, in order; one render per batch of changes. On a server: what plugins declare statically.
 *
 * @example
 * const wallets = useConnectors({ kind: 'wallet' })
 * return wallets.map(wallet => <button key={wallet.id} onClick={() => connect.run(wallet.id)}>{wallet.name}</button>)
 */
export function useConnectors(filter: ConnectorFilter = {}): readonly Connector[] {
  const { connectors } = useKeybay()
  const wanted = Object.entries(filter)
  const narrow = (list: readonly Connector[]) =>
    wanted.length ? list.filter(one => wanted.every(([key, value]) => !value || Reflect.get(one, key) === value)) : list
  return useList(
    connectors,
    () => narrow(connectors.list()),
    () => narrow(connectors.serverList()),
  )
}
