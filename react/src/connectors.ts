import type { Connector, LoginMethod } from '@keybay/kernel'
import { useRef, useSyncExternalStore } from 'react'
import { useCore } from './context.js'

export interface ConnectorFilter {
  readonly kind?: Connector['kind']
  readonly readiness?: Connector['readiness']
  /** Logins of this method only. */
  readonly method?: LoginMethod
}

/** A filtered list keeps its reference while its items are the same, so nothing renders for what is not shown. */
const useStable = (read: () => readonly Connector[]): (() => readonly Connector[]) => {
  const last = useRef<readonly Connector[]>([])
  return () => {
    const next = read()
    const { current } = last
    if (next.length !== current.length || next.some((item, i) => item !== current[i])) last.current = next
    return last.current
  }
}

/**
 * Everything that is installed, in order; one render per batch of changes. On a server: what plugins declare statically.
 *
 * @example
 * const wallets = useConnectors({ kind: 'wallet' })
 * return wallets.map(wallet => <button key={wallet.id} onClick={() => connect.run(wallet.id)}>{wallet.name}</button>)
 */
export const useConnectors = ({ kind, readiness, method }: ConnectorFilter = {}): readonly Connector[] => {
  const { connectors } = useCore()
  const narrow = (list: readonly Connector[]) =>
    (kind ?? readiness ?? method)
      ? list.filter(
          one =>
            (!kind || one.kind === kind) &&
            (!readiness || one.readiness === readiness) &&
            (!method || (one.kind === 'login' && one.method === method)),
        )
      : list
  return useSyncExternalStore(
    connectors.subscribe,
    useStable(() => narrow(connectors.list())),
    useStable(() => narrow(connectors.serverList())),
  )
}
