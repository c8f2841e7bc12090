/** The kernel's other snapshots as hooks. On a server nothing is connected and nobody is signed in. */
import type { Account, Connection, Connector, Prompt, SessionState } from '@keybay/kernel'
import { useSyncExternalStore } from 'react'
import { useKeybay } from './context.js'
import { useList } from './list.js'

const ANONYMOUS: SessionState = { status: 'anonymous' }

function none(): undefined {
  return undefined
}

/** Everything that is connected, in the order the user connected it. */
export function useConnections(): readonly Connection[] {
  const { connections } = useKeybay()
  return useList(connections, connections.list)
}
/** One connection; renders for that one only. */
export function useConnection(connectorId: string): Connection | undefined {
  const { connections } = useKeybay()
  return useSyncExternalStore(connections.subscribe, () => connections.get(connectorId), none)
}
/** The accounts of all connections. */
export function useAccounts(): readonly Account[] {
  const { accounts } = useKeybay()
  return useList(accounts, accounts.list)
}

export interface ActiveAccount {
  readonly account: Account | undefined
  /** The connector that holds it. */
  readonly connector: Connector | undefined
  /** Takes an account's `key`; false when there is no such account. The same function in every render. */
  setActive(key: string): boolean
}
/**
 * The account in use on a chain namespace.
 *
 * @example const { account } = useActiveAccount(); account?.address
 */
export function useActiveAccount(namespace = 'solana'): ActiveAccount {
  const { accounts, connectors } = useKeybay()
  const account = useSyncExternalStore(accounts.subscribe, () => accounts.active(namespace), none)
  const connector = useSyncExternalStore(
    connectors.subscribe,
    () => account && connectors.get(account.connectorId),
    none,
  )
  return { account, connector, setActive: accounts.setActive }
}
/** Who is signed in. */
export function useSession(): SessionState {
  const { session } = useKeybay()
  return useSyncExternalStore(
    session.subscribe,
    () => session.current,
    () => ANONYMOUS,
  )
}
/** The open questions to the user; answer or cancel each once. */
export function usePrompts(): readonly Prompt[] {
  const { prompts } = useKeybay()
  return useList(prompts, prompts.list)
}
