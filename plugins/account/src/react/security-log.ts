import type { KeybayError } from '@keybay/kernel'
import { useAction, useSession } from '@keybay/react'
import { useEffect, useState } from 'react'
import type { SecurityEvent, SecurityLogPage } from '../user.js'
import { useAccount } from './account.js'

export interface UseSecurityLog {
  /** `none`: no user is signed in. */
  readonly status: 'none' | 'loading' | 'ready' | 'error'
  /** The newest first. Undefined until the first page; stays during a reload or an error. */
  readonly events: readonly SecurityEvent[] | undefined
  readonly error: KeybayError | undefined
  readonly hasMore: boolean
  /** Fetches the next page and appends it to `events`. */
  readonly more: () => void
  /** Fetches the first page again. */
  readonly refresh: () => void
}

interface Loaded {
  readonly userId: string
  readonly events: readonly SecurityEvent[]
  readonly next: string | null
}

/** @example const { events, hasMore, more } = useSecurityLog() */
export function useSecurityLog(): UseSecurityLog {
  const account = useAccount()
  const { status, userId } = useSession()
  const user = status === 'authenticated' || status === 'verification' ? userId : undefined
  const [loaded, setLoaded] = useState<Loaded>()
  const ownLog = user !== undefined && loaded?.userId === user ? loaded : undefined
  const load = useAction(async (signal: AbortSignal, before?: string): Promise<SecurityLogPage> => {
    const page = await account.securityLog({ before, signal })
    if (user === undefined || signal.aborted) return page
    const older = before === undefined ? [] : (ownLog?.events ?? [])
    setLoaded({ userId: user, events: [...older, ...page.events], next: page.next })
    return page
  })
  const { run, reset } = load
  useEffect(() => {
    if (user !== undefined) run()
    return reset
  }, [run, reset, user])
  return {
    status:
      user === undefined ? 'none' : load.status === 'error' ? 'error' : load.status === 'success' ? 'ready' : 'loading',
    events: ownLog?.events,
    error: load.error,
    hasMore: (ownLog?.next ?? null) !== null,
    more: () => {
      if (ownLog && ownLog.next !== null && load.status !== 'pending') run(ownLog.next)
    },
    refresh: () => run(),
  }
}
