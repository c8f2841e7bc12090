import { useAction } from '@keybay/react'
import { type ReactElement, useState } from 'react'
import { explain } from '../wording.js'
import { formatCountdown, useNow } from './use-now.js'

/** A code needs a moment to arrive; before that a second one only confuses, ms. */
const PAUSE = 30_000
/** A time that is further away tells of a wrong clock, not of a long life, ms. */
const PLAUSIBLE = 60 * 60_000

interface ResendProps {
  /** ms since epoch */
  readonly expiresAt: number
  /** Resolves with when the new code expires, ms since epoch. */
  resend(): Promise<number>
  /** A new code is on its way: what was said of the old one no longer counts. */
  onSent(): void
}

/** How long the code is good, and the way to a new one. */
export function Resend({ expiresAt: first, resend, onSent }: ResendProps): ReactElement {
  const [expiresAt, setExpiresAt] = useState(first)
  const [sentAt, setSentAt] = useState(Date.now)
  const now = useNow()
  const again = useAction(() => resend())
  const wait = sentAt + PAUSE - now
  const left = expiresAt - now
  // The clock of this machine may be wrong: then nothing is said, and the server decides.
  const believable = expiresAt > sentAt && expiresAt - sentAt < PLAUSIBLE
  const busy = again.status === 'pending'
  const send = () => {
    if (busy || wait > 0) return
    again.runAsync().then(
      next => {
        setExpiresAt(next)
        setSentAt(Date.now())
        onSent()
      },
      () => {}, // `error` says it
    )
  }
  return (
    <div className="resend">
      <p className="soft small">
        {believable && (left > 0 ? `The code is valid for ${formatCountdown(left)}.` : 'The code has expired.')}
      </p>
      <button type="button" className="button button-small" aria-disabled={busy || wait > 0} onClick={send}>
        {busy ? 'Sending …' : wait > 0 ? `Send a new code in ${formatCountdown(wait)}` : 'Send a new code'}
      </button>
      <p className="resend-news small" role="status">
        {again.status === 'success' && 'A new code is on its way. The old one no longer counts.'}
        {again.error && explain(again.error)}
      </p>
    </div>
  )
}
