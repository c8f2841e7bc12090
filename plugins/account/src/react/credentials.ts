import type { SessionState } from '@keybay/kernel'
import { type Action, type ConnectorId, useAction } from '@keybay/react'
import type { UserCredential } from '../user.js'
import { useAccount } from './account.js'
import { useSignIn } from './sign-in.js'
import { useUserState } from './user.js'

const NONE: readonly UserCredential[] = []

export interface UseCredentials {
  /** Credentials of the signed-in user, including embedded wallets; empty until loaded. */
  readonly list: readonly UserCredential[]
  /** Links a connector, like `useSignIn`: keeps the session and adds a credential. */
  readonly link: Action<[connectorId: ConnectorId, input?: unknown], SessionState>
  /** Fails with `last_credential`, `credential_is_factor`, `credential_is_wallet`. */
  readonly unlink: Action<[credentialId: string], void>
  /** Renames a passkey or a wallet. */
  readonly rename: Action<[credentialId: string, name: string], UserCredential>
}

/** @example const { list, link, unlink } = useCredentials(); link.run('wallet-standard:phantom') */
export function useCredentials(): UseCredentials {
  const account = useAccount()
  return {
    list: useUserState().user?.credentials ?? NONE,
    link: useSignIn(),
    unlink: useAction((signal: AbortSignal, id: string) => account.unlink(id, { signal })),
    rename: useAction((signal: AbortSignal, id: string, name: string) =>
      account.renameCredential(id, name, { signal }),
    ),
  }
}
