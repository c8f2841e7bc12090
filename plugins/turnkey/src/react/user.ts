import { type Action, useAction } from '@keybay/react'
import { useCallback, useRef } from 'react'
import type { CustodyActivity, CustodyUser } from '../api.js'
import { useInstance } from './instance.js'

export interface UseTurnkeyUser {
  /** Last loaded user; undefined before the first load. */
  readonly user: CustodyUser | undefined
  /** Loads the user from the custody service. Without a session key it needs the passkey, so run it in a click. */
  readonly load: Action<[], CustodyUser>
  /** Adds a passkey, of this device or another, and reloads the user. Run it in a click. */
  readonly addPasskey: Action<[name: string], string>
  /** Changes the email address for recovery codes, and reloads the user. */
  readonly updateEmail: Action<[email: string], void>
}
/** @example const { user, load } = useTurnkeyUser(); user?.passkeys.map(({ id, name }) => <li key={id}>{name}</li>) */
export function useTurnkeyUser(): UseTurnkeyUser {
  const { turnkey } = useInstance()
  const load = useAction(() => turnkey.user())
  const last = useRef<CustodyUser>(undefined)
  if (load.data) last.current = load.data
  const { run } = load
  const again = useCallback(
    <T>(done: T): T => {
      run()
      return done
    },
    [run],
  )
  return {
    user: last.current,
    load,
    addPasskey: useAction((_signal: AbortSignal, name: string) => turnkey.addPasskey(name).then(again)),
    updateEmail: useAction((_signal: AbortSignal, email: string) => turnkey.updateEmail(email).then(again)),
  }
}
/**
 * Returns the activities at the custody service, newest first. Without a session key it needs the passkey, so run it in a click.
 * @example const { run, data } = useTurnkeyActivities()
 */
export function useTurnkeyActivities(): Action<[], readonly CustodyActivity[]> {
  const { turnkey } = useInstance()
  return useAction(() => turnkey.activities())
}
