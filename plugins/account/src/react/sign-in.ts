import type { SessionState } from '@keybay/kernel'
import { type Action, type ConnectorId, useAction } from '@keybay/react'
import { useAccount } from './account.js'

/**
 * Signs in with a wallet or a login, or links it if a user is signed in. `run` begins in the click, so a popup can
 * open.
 *
 * @example
 * const signIn = useSignIn()
 * <button onClick={() => signIn.run('wallet-standard:phantom')}>Sign in</button>
 */
export function useSignIn(): Action<[connectorId: ConnectorId, input?: unknown], SessionState> {
  const account = useAccount()
  return useAction((signal: AbortSignal, connectorId: ConnectorId, input?: unknown) =>
    account.signIn(connectorId, input, { signal }),
  )
}
