import { signInMessages, useMessages, useRecent } from '@keybay/react/ui'
import type { ReactElement } from 'react'

/** Ids of the connectors that signed a user in here, newest first. They outlive the session, and name no user. */
export function useRecentSignIns(): ReturnType<typeof useRecent> {
  return useRecent('recent:sign-in')
}

/** Marks the way that was used last. */
export function LastUsed({ id }: { readonly id: string }): ReactElement | null {
  const { text } = useMessages(signInMessages)
  const { list } = useRecentSignIns()
  return list[0] === id ? <span className="keybay-tag keybay-tag-accent">{text('lastUsed')}</span> : null
}
