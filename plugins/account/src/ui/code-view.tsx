import { isKeybayError } from '@keybay/kernel'
import { tooManyEmailVerificationAttempts, tooManySmsVerificationAttempts } from '@keybay/kernel/spec'
import { useAction } from '@keybay/react'
import { Button, DialogHead, type PromptViewProps, promptMessages, useExplain, useMessages } from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { CodeField } from './code-field.js'
import { formatCountdown, useNow, useSubmit } from './hooks.js'
import { useSlots } from './slots.js'

const words = {
  email: { title: 'emailTitle', other: 'emailOther' },
  phoneNumber: { title: 'phoneTitle', other: 'phoneOther' },
} as const

export function CodeView({ prompt, titleId }: PromptViewProps<'one-time-code'>): ReactElement {
  const { text, rich } = useMessages(promptMessages)
  const explain = useExplain()
  const { codeHint } = useSlots()
  const { method, sentTo, digits } = prompt
  const { title, other } = words[method]
  const { busy, error, submit, round, restart } = useSubmit(prompt.submit, prompt.answer)
  const isOver =
    isKeybayError(error, tooManyEmailVerificationAttempts) || isKeybayError(error, tooManySmsVerificationAttempts)
  return (
    <>
      <DialogHead id={titleId} title={text(title)} back={text(other)} onBack={prompt.cancel} />
      <div className="keybay-dialog-body">
        <p>{rich('codeSent', { digits, address: <Address value={sentTo} /> })}</p>
        <CodeField
          key={round}
          label={text('code')}
          digits={digits}
          busy={busy}
          error={error && (isOver ? text('codeGone', { error: error.message }) : explain(error))}
          submit={submit}
        />
        <p className="keybay-hidden" role="status">
          {busy && text('checkingCode')}
        </p>
        {codeHint?.(sentTo)}
        <Resend expiresAt={prompt.expiresAt} resend={prompt.resend} onSent={restart} />
      </div>
    </>
  )
}

/** Letters that a line of the dialog has room for. */
const LINE_LENGTH = 32

/** A phone number stays on one line; an email address that is longer than one breaks before its domain first. */
function Address({ value }: { readonly value: string }) {
  const [name, domain] = value.split('@')
  if (domain === undefined) return <strong className="keybay-whole">{value}</strong>
  return (
    <strong className="keybay-break">
      {name}
      {value.length > LINE_LENGTH && <wbr />}@{domain}
    </strong>
  )
}

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

export function Resend({ expiresAt: first, resend, onSent }: ResendProps): ReactElement {
  const { text, rich } = useMessages(promptMessages)
  const explain = useExplain()
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
    <div className="keybay-line keybay-apart">
      <p className="keybay-soft keybay-small">
        {believable && (left > 0 ? rich('codeValid', { time: formatCountdown(left) }) : text('codeExpired'))}
      </p>
      <Button
        small
        text={busy ? text('sending') : wait > 0 ? rich('newCodeIn', { time: formatCountdown(wait) }) : text('newCode')}
        busy={busy || wait > 0}
        onClick={send}
      />
      <p className="keybay-news keybay-small" role="status">
        {again.status === 'success' && text('newCodeSent')}
        {again.error && explain(again.error)}
      </p>
    </div>
  )
}
