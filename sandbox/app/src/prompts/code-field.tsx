import { type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { Field } from '../design/field.js'

interface CodeFieldProps {
  readonly label: string
  /** Number of digits; entering the last one submits the code. */
  readonly digits: number
  readonly busy: boolean
  /** Error of the last code. */
  readonly error: string | undefined
  submit(code: string): void
}

/**
 * Input for a whole code in one field, so that pasting, a phone's suggestion and a screen reader work as in any
 * other field. Ignores spaces, dashes and words around the digits: a user may paste a whole message.
 */
export function CodeField({ label, digits, busy, error, submit }: CodeFieldProps): ReactElement {
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => input.current?.focus(), [])
  // Select the rejected code, so that typing replaces it.
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
