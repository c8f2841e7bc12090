import type { UserSession } from '@keybay/account'
import { useSessions } from '@keybay/account/react'
import { useState } from 'react'
import {
  Button,
  Card,
  ConfirmButton,
  Failure,
  formatMoment,
  Glyph,
  Item,
  Loading,
  Problem,
  useChange,
  useLostFocus,
} from '../design/index.js'
import { placeName } from './names.js'

interface SessionRowProps {
  readonly session: UserSession
  readonly ending: 'this' | 'other' | undefined
  end(): void
  signOut(): Promise<void>
}
function SessionRow({ session, ending, end, signOut }: SessionRowProps) {
  const place = placeName(session)
  const action = session.current ? (
    <Button small text="Sign out" onClick={() => void signOut()} />
  ) : (
    <ConfirmButton
      text="End"
      label={`End session ${place}`}
      question="It will have to sign in again."
      busy={ending === 'this'}
      waits={ending === 'other'}
      confirm={end}
    />
  )
  return (
    <Item mark={<Glyph name="device" size={24} />} actions={action}>
      <p className="keybay-item-title">
        {place} {session.current && <span className="keybay-tag keybay-tag-accent">This one</span>}
      </p>
      <p className="soft small">
        Since {formatMoment(session.createdAt)} ·{' '}
        {session.current ? 'in use now' : `last used ${formatMoment(session.lastUsedAt)}`}
      </p>
    </Item>
  )
}

export function SessionsCard() {
  const { sessions, refresh, end, endOthers, signOutEverywhere, signOut } = useSessions()
  const heading = useLostFocus<HTMLHeadingElement>(sessions?.length)
  const ending = useChange(end, 'Session ended')
  const [chosen, choose] = useState<string>()
  const endingOthers = useChange(endOthers, 'All other sessions ended')
  const leaving = useChange(signOutEverywhere, 'You are signed out everywhere')
  return (
    <Card title="Sessions" heading={heading}>
      {refresh.error && (
        <Failure title="Your sessions could not be loaded." error={refresh.error} retry={refresh.run} />
      )}
      {!sessions && !refresh.error && <Loading what="your sessions" widths={[24]} />}
      {sessions && (
        <ul className="keybay-items" aria-label="Sessions">
          {sessions.map(session => (
            <SessionRow
              key={session.id}
              session={session}
              ending={ending.busy ? (chosen === session.id ? 'this' : 'other') : undefined}
              end={() => {
                choose(session.id)
                ending.run(session.id)
              }}
              signOut={signOut}
            />
          ))}
        </ul>
      )}
      {sessions && sessions.length > 1 && (
        <div className="row">
          <ConfirmButton
            text="End all other sessions"
            label="End all other sessions"
            question="Every other place will have to sign in again."
            busy={endingOthers.busy}
            confirm={() => endingOthers.run()}
          />
        </div>
      )}
      {sessions && (
        <div className="row">
          <ConfirmButton
            text="Sign out everywhere"
            label="Sign out everywhere"
            question="You will have to sign in again on every device, here too."
            busy={leaving.busy}
            confirm={() => leaving.run()}
          />
        </div>
      )}
      <Problem title="It was not ended." error={ending.error ?? endingOthers.error ?? leaving.error} />
    </Card>
  )
}
