import { isKeybayError } from '@keybay/kernel'
import { tooManyEmailVerificationAttempts, tooManySmsVerificationAttempts } from '@keybay/kernel/spec'
import { useAction } from '@keybay/react'
import type { PromptViewProps } from '@keybay/react/ui'
import { useEffect, useState } from 'react'
import { useSettings } from '../chain/use-loaded.js'
import { inboxUrl } from '../config.js'
import { Button, DialogHead, TextField, useFocus } from '../design/index.js'
import { explain } from '../wording.js'
import { formatCountdown, useNow, useSubmit } from './hooks.js'

const words = {
  email: { title: 'Check your email', other: 'Use another address' },
  phoneNumber: { title: 'Check your phone', other: 'Use another number' },
} as const

export function CodePrompt({ prompt, titleId }: PromptViewProps<'one-time-code'>) {
  const { method, sentTo, digits } = prompt
  const { title, other } = words[method]
  const { busy, error, submit, round, restart } = useSubmit(prompt.submit, prompt.answer)
  const isOver =
    isKeybayError(error, tooManyEmailVerificationAttempts) || isKeybayError(error, tooManySmsVerificationAttempts)
  return (
    <>
      <DialogHead id={titleId} title={title} back={other} onBack={prompt.cancel} />
      <div className="keybay-dialog-body">
        <p>
          We sent a code of {digits} digits to <strong className="break">{sentTo}</strong>.
        </p>
        <CodeField
          key={round}
          label="Code"
          digits={digits}
          busy={busy}
          error={error && (isOver ? `${error.message} This one no longer counts.` : explain(error))}
          submit={submit}
        />
        <p className="visually-hidden" role="status">
          {busy && 'Checking the code …'}
        </p>
        <InboxLink to={sentTo} />
        <Resend expiresAt={prompt.expiresAt} resend={prompt.resend} onSent={restart} />
      </div>
    </>
  )
}

interface CodeFieldProps {
  readonly label: string
  /** Number of digits; entering the last one submits the code. */
  readonly digits: number
  readonly busy: boolean
  readonly error: string | undefined
  submit(code: string): void
}

/**
 * Input for a whole code in one field, so that pasting, a phone's suggestion and a screen reader work as in any
 * other field. Ignores spaces, dashes and words around the digits: a user may paste a whole message.
 */
export function CodeField({ label, digits, busy, error, submit }: CodeFieldProps) {
  const [code, setCode] = useState('')
  const input = useFocus<HTMLInputElement>()
  // Select the rejected code, so that typing replaces it.
  useEffect(() => {
    if (error !== undefined) input.current?.select()
  }, [error, input])
  const change = (text: string) => {
    const next = text.replace(/\D/g, '').slice(0, digits)
    setCode(next)
    if (next.length === digits && next !== code) submit(next)
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (code.length === digits && !busy) submit(code)
      }}
    >
      <TextField
        className="code-input"
        label={label}
        error={error}
        ref={input}
        inputMode="numeric"
        autoComplete="one-time-code"
        readOnly={busy}
        aria-busy={busy}
        value={code}
        change={change}
      />
    </form>
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

export function Resend({ expiresAt: first, resend, onSent }: ResendProps) {
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
      <Button
        small
        text={busy ? 'Sending …' : wait > 0 ? `Send a new code in ${formatCountdown(wait)}` : 'Send a new code'}
        busy={busy || wait > 0}
        onClick={send}
      />
      <p className="resend-news small" role="status">
        {again.status === 'success' && 'A new code is on its way. The old one no longer counts.'}
        {again.error && explain(again.error)}
      </p>
    </div>
  )
}

/** In the sandbox no mail leaves this machine: here it can be read. @param to whose messages */
export function InboxLink({ to }: { readonly to?: string }) {
  const { data } = useSettings()
  if (inboxUrl === undefined || data?.environment !== 'sandbox') return null
  const href = to === undefined ? inboxUrl : `${inboxUrl}/?to=${encodeURIComponent(to)}`
  return (
    <p className="small">
      This is a sandbox: mail and SMS stay on this machine.{' '}
      <a href={href} target="_blank" rel="noopener noreferrer">
        Open inbox<span className="visually-hidden"> (opens a new tab)</span>
      </a>
    </p>
  )
}
