import type { SessionState } from '@keybay/kernel'
import { type Action, useAction, useKeybay, useSession } from '@keybay/react'
import { useCallback, useEffect, useRef } from 'react'
import type { UserSession } from '../user.js'
import { useAccount } from './account.js'

export interface UseSessions extends SessionState {
  /** Undefined until loaded. */
  readonly sessions: readonly UserSession[] | undefined
  /** Fetches `sessions` again; also holds the request's status. */
  readonly refresh: Action<[], readonly UserSession[]>
  readonly end: Action<[sessionId: string], void>
  readonly endOthers: Action<[], number>
  /** Ends all sessions on every device, this one too. */
  readonly signOutEverywhere: Action<[], void>
  /** Signs out here and in every tab. Never fails. */
  readonly signOut: () => Promise<void>
}

/**
 * Returns the session, and fetches the list of all sessions. For the session alone, use `useSession` of
 * `@keybay/react`.
 *
 * @example
 * const { sessions, endOthers } = useSessions()
 * return <button onClick={() => endOthers.run()}>Sign out {(sessions?.length ?? 1) - 1} other devices</button>
 */
export function useSessions(): UseSessions {
  const account = useAccount()
  const { session } = useKeybay()
  const state = useSession()
  const refresh = useAction((signal: AbortSignal) => account.sessions({ signal }))
  const { run, reset } = refresh
  const { userId, status } = state
  const signedIn = userId !== undefined && (status === 'authenticated' || status === 'verification')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user has other sessions
  useEffect(() => {
    if (signedIn) run()
    return reset
  }, [run, reset, signedIn, userId])
  /** Keeps the last list during a refresh. */
  const last = useRef<{ readonly of: string | undefined; readonly sessions: readonly UserSession[] }>(undefined)
  if (refresh.data) last.current = { of: userId, sessions: refresh.data }
  const again = useCallback(
    <T>(ended: T): T => {
      if (session.current.userId !== undefined) run() // Without a user ID, the ended session was this one.
      return ended
    },
    [run, session],
  )
  return {
    ...state,
    sessions: signedIn && last.current?.of === userId ? last.current?.sessions : undefined,
    refresh,
    end: useAction((signal: AbortSignal, id: string) => account.endSession(id, { signal }).then(again)),
    endOthers: useAction((signal: AbortSignal) => account.endOtherSessions({ signal }).then(again)),
    signOutEverywhere: useAction((signal: AbortSignal) => account.signOutEverywhere({ signal })),
    signOut: account.signOut,
  }
}
