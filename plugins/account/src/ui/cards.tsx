import { useSession } from '@keybay/react'
import { Button, securityMessages, useMessages } from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { CredentialsCard, PasskeysCard } from './credentials-card.js'
import { DataCard } from './data-card.js'
import { DeleteCard } from './delete-card.js'
import { MfaCard } from './mfa-card.js'
import { SecurityLogCard } from './security-log-card.js'
import type { SecurityPanelProps } from './security-panel.js'
import { SessionsCard } from './sessions-card.js'
import { WithUser } from './with-user.js'

/** The content of `SecurityPanel`, whose code loads when it is first shown. */
export function Cards({ level: first, onAdd }: Pick<SecurityPanelProps, 'level' | 'onAdd'>): ReactElement | null {
  const { status } = useSession()
  const { text } = useMessages(securityMessages)
  const [level, setLevel] = useState(first)
  const isAdvanced = level === 'advanced'
  if (status !== 'authenticated') return null
  return (
    <WithUser>
      {user => (
        <>
          <CredentialsCard user={user} add={onAdd} />
          <PasskeysCard user={user} />
          <MfaCard user={user} />
          {isAdvanced && (
            <>
              <SessionsCard />
              <SecurityLogCard />
              <DataCard />
              <DeleteCard user={user} />
            </>
          )}
          <Button
            kind="quiet"
            text={text(isAdvanced ? 'simple' : 'advanced')}
            aria-expanded={isAdvanced}
            onClick={() => setLevel(isAdvanced ? 'simple' : 'advanced')}
          />
        </>
      )}
    </WithUser>
  )
}
