import { isAuthenticationMethod } from '@keybay/kernel/spec'
import {
  Button,
  Card,
  ConfirmButton,
  Failure,
  Glyph,
  Item,
  Loading,
  Problem,
  securityMessages,
  useChange,
  useDates,
  useLostFocus,
  useMessages,
} from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { useSessions } from '../react/session.js'
import type { UserSession } from '../user.js'
import { methodKey, placeName } from './names.js'

interface SessionRowProps {
  readonly session: UserSession
  readonly ending: 'this' | 'other' | undefined
  end(): void
  signOut(): Promise<void>
}
function SessionRow({ session, ending, end, signOut }: SessionRowProps) {
  const messages = useMessages(securityMessages)
  const { text, rich } = messages
  const { moment } = useDates()
  const place = placeName(session, messages)
  const method = isAuthenticationMethod(session.method) ? text(methodKey(session.method)) : session.method
  const signedIn = { method, date: moment(session.createdAt) }
  const action = session.current ? (
    <Button small text={text('signOut')} onClick={() => void signOut()} />
  ) : (
    <ConfirmButton
      text={text('end')}
      label={text('endSession', { place, date: signedIn.date })}
      question={text('endAsk')}
      busy={ending === 'this'}
      waits={ending === 'other'}
      confirm={end}
    />
  )
  return (
    <Item mark={<Glyph name="device" size={24} />} actions={action}>
      <p className="keybay-item-title">
        <bdi>{place}</bdi> {session.current && <span className="keybay-tag keybay-tag-accent">{text('thisOne')}</span>}
      </p>
      <p className="keybay-soft keybay-small">
        {session.current
          ? rich('sinceHere', signedIn)
          : rich('since', { ...signedIn, used: moment(session.lastUsedAt) })}
      </p>
    </Item>
  )
}

export function SessionsCard(): ReactElement {
  const { text } = useMessages(securityMessages)
  const { sessions, refresh, end, endOthers, signOutEverywhere, signOut } = useSessions()
  const heading = useLostFocus<HTMLHeadingElement>(sessions?.length)
  const ending = useChange(end, text('ended'))
  const [chosen, choose] = useState<string>()
  const endingOthers = useChange(endOthers, text('endAllDone'))
  const leaving = useChange(signOutEverywhere, text('everywhereDone'))
  return (
    <Card title={text('sessions')} heading={heading}>
      {refresh.error && <Failure title={text('sessionsFailed')} error={refresh.error} retry={refresh.run} />}
      {!sessions && !refresh.error && <Loading what={text('sessionsRead')} widths={[24]} />}
      {sessions && (
        <ul className="keybay-items" aria-label={text('sessions')}>
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
        <div className="keybay-line">
          <ConfirmButton
            text={text('endAll')}
            label={text('endAll')}
            question={text('endAllAsk')}
            busy={endingOthers.busy}
            confirm={() => endingOthers.run()}
          />
        </div>
      )}
      {sessions && (
        <div className="keybay-line">
          <ConfirmButton
            text={text('everywhere')}
            label={text('everywhere')}
            question={text('everywhereAsk')}
            busy={leaving.busy}
            confirm={() => leaving.run()}
          />
        </div>
      )}
      <Problem title={text('endFailed')} error={ending.error ?? endingOthers.error ?? leaving.error} />
    </Card>
  )
}
