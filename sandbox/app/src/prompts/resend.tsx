import { useAction } from '@keybay/react'
import { type ReactElement, useState } from 'react'
import { explain } from '../wording.js'
import { formatCountdown, useNow } from './use-now.js'

/** Delay before a resend is offered, in ms: a second code in transit only confuses. */
const PAUSE = 30_000
/** Longest plausible lifetime, in ms: a longer one means that the clock is wrong. */
const PLAUSIBLE = 60 * 60_000

interface ResendProps {
  /** ms since epoch */
  readonly expiresAt: number
  /** Resolves with the expiry of the new code, in ms since epoch. */
  resend(): Promise<number>
  /** Called when a new code was sent, so that an error about the old one is cleared. */
  onSent(): void
}

/** Shows how long the code is valid, and lets the user request a new one. */
export function Resend({ expiresAt: first, resend, onSent }: ResendProps): ReactElement {
  const [expiresAt, setExpiresAt] = useState(first)
  const [sentAt, setSentAt] = useState(Date.now)
  const now = useNow()
  const again = useAction(() => resend())
  const wait = sentAt + PAUSE - now
  const left = expiresAt - now
  // With a wrong local clock the countdown is hidden, and the server decides.
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
      () => {}, // the UI shows `error`
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
