import { Failure, Loading, profileMessages, useMessages } from '@keybay/react/ui'
import type { ReactElement, ReactNode } from 'react'
import { useUser } from '../react/user.js'
import type { User } from '../user.js'

/** Renders its content for the user, or what stands in until the account is loaded. */
export function WithUser({ children }: { children(user: User): ReactNode }): ReactElement {
  const { user, status, error, refresh } = useUser()
  const { text } = useMessages(profileMessages)
  if (user) return <>{children(user)}</>
  return status === 'error' ? (
    <Failure title={text('accountFailed')} error={error} retry={refresh.run} />
  ) : (
    <Loading what={text('accountRead')} widths={[18, 26, 22]} />
  )
}
