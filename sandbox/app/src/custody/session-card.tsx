import { useTurnkeySession } from '@keybay/turnkey/react'
import type { ReactElement } from 'react'
import { useChange } from '../account/use-change.js'
import { formatMoment } from '../design/format.js'

/** Manages the session key, which signs for a limited time without the passkey. */
export function SessionCard(): ReactElement {
  const session = useTurnkeySession()
  const end = useChange(session.end, 'Signing is locked')
  const { status, expirationDate = '' } = session.state ?? {}
  return (
    <section className="card" aria-labelledby="custody-session">
      <div className="card-head">
        <h2 id="custody-session">Signing</h2>
        <span className={status === 'active' ? 'tag tag-good' : 'tag'}>{status === 'active' ? 'Open' : 'Locked'}</span>
      </div>
      <div className="row row-apart">
        <p className="soft small" role="status">
          {status === 'active'
            ? `This page signs without asking you until ${formatMoment(Date.parse(expirationDate))}, or until it is reloaded.`
            : 'The next signature asks for your passkey, and opens it for a while.'}
        </p>
        {status === 'active' && (
          <button type="button" className="button button-small" aria-disabled={end.busy} onClick={() => end.run()}>
            Lock now
          </button>
        )}
      </div>
    </section>
  )
}
