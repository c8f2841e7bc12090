import type { PromptViewProps } from '@keybay/react/ui'
import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { DialogHead } from '../design/dialog-head.js'
import { Field } from '../design/field.js'

/** Prompts for a value that a provider needs first, e.g. the domain of a shop. */
export function QuestionPrompt({ prompt, titleId }: PromptViewProps<'social-question'>): ReactElement {
  const { name, label, example } = prompt
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => input.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Runs in the click handler, because it opens the window.
    const ticket = prompt.submit(text)
    if (ticket) return prompt.answer(ticket)
    setProblem(`Write it like ${example}.`)
    input.current?.focus()
  }
  return (
    <>
      <DialogHead id={titleId} title={name} />
      <form className="dialog-body" onSubmit={submit} noValidate>
        <Field id={id} label={label} error={problem}>
          {aria => (
            <input
              {...aria}
              ref={input}
              className="input"
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={example}
              value={text}
              onChange={event => {
                setText(event.target.value)
                setProblem(undefined)
              }}
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
