import type { PromptViewProps } from '@keybay/react/ui'
import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { DialogHead } from '../design/dialog-head.js'
import { Field } from '../design/field.js'
import { explain } from '../wording.js'

const words = {
  email: { title: 'Your email address', label: 'Email address', autoComplete: 'email', inputMode: 'email' },
  phoneNumber: { title: 'Your phone number', label: 'Phone number', autoComplete: 'tel', inputMode: 'tel' },
} as const

/** Prompts for the email address or phone number to send a code to, if the caller gave none. */
export function ContactPrompt({ prompt, titleId }: PromptViewProps<'contact'>): ReactElement {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const { title, label, autoComplete, inputMode } = words[prompt.method]
  useEffect(() => input.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    prompt.answer(text.trim())
  }
  return (
    <>
      <DialogHead id={titleId} title={title} />
      <form className="dialog-body" onSubmit={submit} noValidate>
        <Field id={id} label={label} error={prompt.error && explain(prompt.error)}>
          {aria => (
            <input
              {...aria}
              ref={input}
              className="input"
              inputMode={inputMode}
              autoComplete={autoComplete}
              autoCapitalize="none"
              spellCheck={false}
              value={text}
              onChange={event => setText(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button button-primary button-wide">
          Continue
        </button>
      </form>
    </>
  )
}
