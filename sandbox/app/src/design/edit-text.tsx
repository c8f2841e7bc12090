import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { FieldError } from './field.js'

interface EditTextProps {
  /** Name of the edited value, e.g. `Username`. */
  readonly label: string
  readonly value: string
  readonly busy: boolean
  /** Maximum number of characters. */
  readonly longest: number
  /** Returns the validation error, if any. */
  check?(value: string): string | undefined
  save(value: string): void
  cancel(): void
}

/** Edits a short text in place: Enter saves, Escape cancels. */
export function EditText({ label, value, busy, longest, check, save, cancel }: EditTextProps): ReactElement {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const next = text.trim()
    if (!next || next === value) return cancel()
    const wrong = check?.(next)
    setProblem(wrong)
    if (wrong === undefined) save(next)
    else input.current?.focus()
  }
  return (
    <form className="edit-text" onSubmit={submit} noValidate>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        ref={input}
        className="input"
        autoComplete="off"
        spellCheck={false}
        maxLength={longest}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-error`}
        readOnly={busy}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setProblem(undefined)
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') cancel()
        }}
      />
      <button type="submit" className="button button-small button-primary" aria-disabled={busy}>
        {busy ? 'Saving …' : 'Save'}
      </button>
      <button type="button" className="button button-small" onClick={cancel}>
        Cancel
      </button>
      <FieldError id={`${id}-error`} error={problem} />
    </form>
  )
}
