/** The kernel's other snapshots as hooks. On a server nothing is connected and nobody is signed in. */
import type { Account, Connection, Connector, Prompt, SessionState } from '@keybay/kernel'
import { useCallback, useSyncExternalStore } from 'react'
import { useCore } from './context.js'

const NO_CONNECTIONS: readonly Connection[] = []
const NO_ACCOUNTS: readonly Account[] = []
const NO_PROMPTS: readonly Prompt[] = []
const ANONYMOUS: SessionState = { status: 'anonymous' }
const none = (): undefined => undefined

/** Everything that is connected, in the order the person connected it. */
export const useConnections = (): readonly Connection[] => {
  const { connections } = useCore()
  return useSyncExternalStore(connections.subscribe, connections.list, () => NO_CONNECTIONS)
}
/** One connection; renders for that one only. */
export const useConnection = (connectorId: string): Connection | undefined => {
  const { connections } = useCore()
  return useSyncExternalStore(connections.subscribe, () => connections.get(connectorId), none)
}
/** The accounts of all connections. */
export const useAccounts = (): readonly Account[] => {
  const { accounts } = useCore()
  return useSyncExternalStore(accounts.subscribe, accounts.list, () => NO_ACCOUNTS)
}

export interface ActiveAccount {
  readonly account: Account | undefined
  /** The connector that holds it. */
  readonly connector: Connector | undefined
  /** Takes an account's `key`; false when there is no such account. */
  setActive(key: string): boolean
}
/**
 * The account in use on a chain namespace.
 *
 * @example const { account } = useActiveAccount(); account?.address
 */
export const useActiveAccount = (namespace = 'solana'): ActiveAccount => {
  const { accounts, connectors } = useCore()
  const account = useSyncExternalStore(accounts.subscribe, () => accounts.active(namespace), none)
  const connector = account && connectors.get(account.connectorId)
  return { account, connector, setActive: accounts.setActive }
}
/** Who is signed in. */
export const useSession = (): SessionState => {
  const { session } = useCore()
  return useSyncExternalStore(
    session.subscribe,
    useCallback(() => session.current, [session]),
    () => ANONYMOUS,
  )
}
/** The open questions to the person; answer or cancel each once. */
export const usePrompts = (): readonly Prompt[] => {
  const { prompts } = useCore()
  return useSyncExternalStore(prompts.subscribe, prompts.list, () => NO_PROMPTS)
}
