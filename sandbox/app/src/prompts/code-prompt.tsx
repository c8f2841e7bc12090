import { isKeybayError } from '@keybay/kernel'
import { tooManyEmailVerificationAttempts, tooManySmsVerificationAttempts } from '@keybay/kernel/spec'
import type { PromptViewProps } from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { DialogHead } from '../design/dialog-head.js'
import { explain } from '../wording.js'
import { CodeField } from './code-field.js'
import { InboxLink } from './inbox-link.js'
import { Resend } from './resend.js'
import { useSubmit } from './use-submit.js'

const words = {
  email: { title: 'Check your email', other: 'Use another address' },
  phoneNumber: { title: 'Check your phone', other: 'Use another number' },
} as const

/** Prompts for the code that was sent by email or SMS. */
export function CodePrompt({ prompt, titleId }: PromptViewProps<'one-time-code'>): ReactElement {
  const { method, sentTo, digits } = prompt
  const { title, other } = words[method]
  const { busy, error, submit, reset } = useSubmit(prompt.submit, prompt.answer)
  /** Counter that clears the field for each new code. */
  const [round, setRound] = useState(0)
  const isOver = [tooManyEmailVerificationAttempts, tooManySmsVerificationAttempts].some(one =>
    isKeybayError(error, one),
  )
  const sent = () => {
    reset()
    setRound(round + 1)
  }
  return (
    <>
      <DialogHead id={titleId} title={title} back={other} onBack={prompt.cancel} />
      <div className="dialog-body">
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
        <Resend expiresAt={prompt.expiresAt} resend={prompt.resend} onSent={sent} />
      </div>
    </>
  )
}
