import { TextField, useFocus } from '@keybay/react/ui'
import { type ReactElement, useEffect, useState } from 'react'

export interface CodeFieldProps {
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
export function CodeField({ label, digits, busy, error, submit }: CodeFieldProps): ReactElement {
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
        className="keybay-code-input"
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
