import type { KeybayError } from '@keybay/kernel'
import { type Action, useAction } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { AccountApi, UserState } from '../api.js'
import type { User } from '../user.js'
import { useAccount } from './account.js'

const NONE: UserState = { status: 'none' }

/** The user's store; on a server nobody is signed in. */
export function useUserState(): UserState {
  const { user } = useAccount()
  return useSyncExternalStore(
    user.subscribe,
    () => user.current,
    () => NONE,
  )
}

type Patch = Parameters<AccountApi['updateUser']>[0]
export interface UseUser {
  /** The last known one stays while it is loaded again, or an error is shown. */
  readonly user: User | undefined
  readonly status: UserState['status']
  readonly error: KeybayError | undefined
  readonly refresh: Action<[], User | undefined>
  readonly update: Action<[patch: Patch], User>
  /** In 30 days; `user.deletesAt` says when. */
  readonly delete: Action<[], void>
  /** Undoes `delete`. */
  readonly restore: Action<[], User>
}

/** @example const { user, update } = useUser(); update.run({ username: 'mara' }) */
export function useUser(): UseUser {
  const account = useAccount()
  const { user, status, error } = useUserState()
  return {
    user,
    status,
    error,
    refresh: useAction((signal: AbortSignal) => account.user.refresh({ signal })),
    update: useAction((signal: AbortSignal, patch: Patch) => account.updateUser(patch, { signal })),
    delete: useAction((signal: AbortSignal) => account.deleteUser({ signal })),
    restore: useAction((signal: AbortSignal) => account.restoreUser({ signal })),
  }
}
