import type { KeybayError } from '@keybay/kernel'
import { type Action, useAction } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { AccountApi, UserState } from '../api.js'
import type { User } from '../user.js'
import { useAccount } from './account.js'

const NONE: UserState = { status: 'none' }

/** Returns the user store's state; on a server, no user is signed in. */
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
  /** Last known user; stays during a reload or an error. */
  readonly user: User | undefined
  readonly status: UserState['status']
  readonly error: KeybayError | undefined
  readonly refresh: Action<[], User | undefined>
  readonly update: Action<[patch: Patch], User>
  /** Schedules deletion in 30 days; `user.deletesAt` holds the time. */
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
