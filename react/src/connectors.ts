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
export const useConnectors = ({ kind, readiness, method }: ConnectorFilter = {}): readonly Connector[] => {
  const { connectors } = useKeybay()
  const fits = (one: Connector) =>
    (!kind || one.kind === kind) &&
    (!readiness || one.readiness === readiness) &&
    (!method || (one.kind === 'login' && one.method === method))
  return useList(
    connectors,
    () => connectors.list().filter(fits),
    () => connectors.serverList().filter(fits),
  )
}
