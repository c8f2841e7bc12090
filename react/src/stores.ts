/** The kernel's other snapshots as hooks. On a server they are empty. */
import type { Account, Connection, Connector, Prompt, SessionState } from '@keybay/kernel'
import { useSyncExternalStore } from 'react'
import { useKeybay } from './context.js'
import { useList } from './list.js'

const ANONYMOUS: SessionState = { status: 'anonymous' }

function none(): undefined {
  return undefined
}

/**
 * Returns the open connections, in the order in which the user opened them.
 *
 * @example const names = useConnections().map(({ connectorId }) => connectorId)
 */
export function useConnections(): readonly Connection[] {
  const { connections } = useKeybay()
  return useList(connections, connections.list)
}
/**
 * Returns a connection. Renders only when it changes.
 *
 * @example const connection = useConnection('wallet-standard:phantom')
 */
export function useConnection(connectorId: string): Connection | undefined {
  const { connections } = useKeybay()
  return useSyncExternalStore(connections.subscribe, () => connections.get(connectorId), none)
}
/**
 * Returns the accounts of all connections.
 *
 * @example return useAccounts().map(({ key, address }) => <li key={key}>{address}</li>)
 */
export function useAccounts(): readonly Account[] {
  const { accounts } = useKeybay()
  return useList(accounts, accounts.list)
}

export interface ActiveAccount {
  readonly account: Account | undefined
  readonly connector: Connector | undefined
  /** Takes an account's `key`, and returns false if it is unknown. Stable over renders. */
  setActive(key: string): boolean
}
/**
 * Returns the active account of a chain namespace.
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
/**
 * Returns the session of the signed-in user.
 *
 * @example const isSignedIn = useSession().status === 'authenticated'
 */
export function useSession(): SessionState {
  const { session } = useKeybay()
  return useSyncExternalStore(
    session.subscribe,
    () => session.current,
    () => ANONYMOUS,
  )
}
/**
 * Returns the open prompts; answer or cancel each once.
 *
 * @example
 * const [prompt] = usePrompts()
 * return prompt ? <button onClick={() => prompt.cancel()}>Cancel {prompt.type}</button> : null
 */
export function usePrompts(): readonly Prompt[] {
  const { prompts } = useKeybay()
  return useList(prompts, prompts.list)
}
