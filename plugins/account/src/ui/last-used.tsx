import { signInMessages, useMessages, useRecent } from '@keybay/react/ui'
import type { ReactElement } from 'react'

/** Ids of the connectors that signed a user in here, newest first. They outlive the session, and name no user. */
export function useRecentSignIns(): ReturnType<typeof useRecent> {
  return useRecent('recent:sign-in')
}

/** Returns a function that describes a button by whether its way was used last. The name of the button stays what it starts. */
export function useLastUsed(): (id: string) => { 'aria-description'?: string } {
  const { text } = useMessages(signInMessages)
  const { list } = useRecentSignIns()
  return id => (list[0] === id ? { 'aria-description': text('lastUsed') } : {})
}

/** Marks the way that was used last. @param silent in a button that `useLastUsed` describes */
export function LastUsed({
  id,
  silent = false,
}: {
  readonly id: string
  readonly silent?: boolean
}): ReactElement | null {
  const { text } = useMessages(signInMessages)
  const { list } = useRecentSignIns()
  if (list[0] !== id) return null
  return (
    <span className="keybay-tag keybay-tag-accent" aria-hidden={silent}>
      {text('lastUsed')}
    </span>
  )
}
