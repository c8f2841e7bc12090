import { type Action, useAction } from '@keybay/react'
import { useCallback, useRef } from 'react'
import type { CustodyActivity, CustodyUser } from '../api.js'
import { useInstance } from './instance.js'

export interface UseTurnkeyUser {
  /** As last loaded; undefined before. */
  readonly user: CustodyUser | undefined
  /** Asks custody, stamped: without a session key the passkey is asked for, so run it in a press. */
  readonly load: Action<[], CustodyUser>
  /** A second passkey, of this device or another; loads the user anew. Run it in a press. */
  readonly addPasskey: Action<[name: string], string>
  /** Where recovery codes go; loads the user anew. */
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
 * What was asked of custody, newest first. Without a session key the passkey is asked for, so run it in a press.
 *
 * @example const { run, data } = useTurnkeyActivities()
 */
export function useTurnkeyActivities(): Action<[], readonly CustodyActivity[]> {
  const { turnkey } = useInstance()
  return useAction(() => turnkey.activities())
}
