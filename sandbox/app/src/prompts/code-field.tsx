import { type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { Field } from '../design/field.js'

interface CodeFieldProps {
  readonly label: string
  /** How many digits; with the last one it submits itself. */
  readonly digits: number
  readonly busy: boolean
  /** What was wrong with the last code. */
  readonly error: string | undefined
  submit(code: string): void
}

/**
 * One field for a whole code, so that pasting, a phone's suggestion and a screen reader work as in any other field.
 * Blanks, dashes and words around the digits do not matter: a whole message may be pasted.
 */
export function CodeField({ label, digits, busy, error, submit }: CodeFieldProps): ReactElement {
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => input.current?.focus(), [])
  // What was wrong is marked, so that typing replaces it.
  useEffect(() => {
    if (error !== undefined) input.current?.select()
  }, [error])
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
      <Field id={id} label={label} error={error}>
        {aria => (
          <input
            {...aria}
            ref={input}
            className="input code-input"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            readOnly={busy}
            aria-busy={busy}
            value={code}
            onChange={event => change(event.target.value)}
          />
        )}
      </Field>
    </form>
  )
}
