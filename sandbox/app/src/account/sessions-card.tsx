import type { UserSession } from '@keybay/account'
import { useSession } from '@keybay/account/react'
import { type ReactElement, useState } from 'react'
import { ConfirmButton } from '../design/confirm-button.js'
import { Loading, Notice, Skeleton } from '../design/feedback.js'
import { formatMoment } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { explain } from '../wording.js'
import { placeName } from './names.js'
import { Problem } from './problem.js'
import { useChange } from './use-change.js'

interface SessionRowProps {
  readonly session: UserSession
  /** Session being ended: this one or another one. */
  readonly ending: 'this' | 'other' | undefined
  end(): void
  signOut(): Promise<void>
}
function SessionRow({ session, ending, end, signOut }: SessionRowProps): ReactElement {
  const place = placeName(session)
  return (
    <li className="item">
      <Glyph name="device" size={24} />
      <div className="item-text">
        <p className="item-title">
          {place} {session.current && <span className="tag tag-accent">This one</span>}
        </p>
        <p className="soft small">
          Since {formatMoment(session.createdAt)} · last used {formatMoment(session.lastUsedAt)}
        </p>
      </div>
      <div className="item-actions">
        {session.current ? (
          <button type="button" className="button button-small" onClick={() => void signOut()}>
            Sign out
          </button>
        ) : (
          <ConfirmButton
            label={`End session ${place}`}
            question="It will have to sign in again."
            busy={ending === 'this'}
            waits={ending === 'other'}
            confirm={end}
          >
            End
          </ConfirmButton>
        )}
      </div>
    </li>
  )
}

/** Lists the places where the user is signed in. */
export function SessionsCard(): ReactElement {
  const { sessions, refresh, end, endOthers, signOut } = useSession()
  const heading = useLostFocus<HTMLHeadingElement>(sessions?.length)
  const ending = useChange(end, 'Session ended')
  const [chosen, choose] = useState<string>()
  const endingOthers = useChange(endOthers, 'All other sessions ended')
  return (
    <section className="card" aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>
        Sessions
      </h2>
      {refresh.error && (
        <Notice kind="bad" title="Your sessions could not be loaded.">
          <span>{explain(refresh.error)}</span>
          <button type="button" className="button button-small" onClick={() => refresh.run()}>
            Try again
          </button>
        </Notice>
      )}
      {!sessions && !refresh.error && (
        <p>
          <Skeleton width={24} />
          <Loading what="your sessions" />
        </p>
      )}
      {sessions && (
        <ul className="items" aria-label="Sessions">
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
            label="End all other sessions"
            question="Every other place will have to sign in again."
            busy={endingOthers.busy}
            confirm={() => endingOthers.run()}
          >
            End all other sessions
          </ConfirmButton>
        </div>
      )}
      <Problem title="It was not ended." error={ending.error ?? endingOthers.error} />
    </section>
  )
}
