/** A text that is signed when it is fit for it, and what came of it. */
import type { KeybayError } from '@keybay/kernel'
import { type FormEvent, type ReactElement, type ReactNode, useId, useState } from 'react'
import { Problem } from '../account/problem.js'
import { CopyButton } from '../design/copy-button.js'
import { Field } from '../design/field.js'

export function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
export const NO_JSON = 'This is no JSON. Check its brackets and commas.'

export interface TextFormProps {
  /** Of the text. */
  readonly label: string
  readonly text: string
  readonly change: (text: string) => void
  /** Why it cannot be signed as it is. */
  readonly check: (text: string) => string | undefined
  readonly sign: (text: string) => void
  /** On the button. */
  readonly action: string
  readonly primary?: boolean
  readonly busy: boolean
  readonly error: KeybayError | undefined
  readonly signed: string | undefined
  /** What was signed, or the signature. */
  readonly signedLabel: string
  readonly copyLabel: string
  /** Above the text. */
  readonly children?: ReactNode
}

export function TextForm({
  label,
  text,
  change,
  check,
  sign,
  action,
  primary = true,
  busy,
  error,
  signed,
  signedLabel,
  copyLabel,
  children,
}: TextFormProps): ReactElement {
  const id = useId()
  /** Of which text: another one has not been tried yet. */
  const [tried, setTried] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(text)
    if (check(text) === undefined) sign(text)
  }
  return (
    <>
      <form className="stack" onSubmit={submit} noValidate>
        {children}
        <Field id={id} label={label} error={tried === text ? check(text) : undefined}>
          {aria => (
            <textarea
              {...aria}
              className="input mono small"
              rows={6}
              spellCheck={false}
              value={text}
              onChange={event => change(event.target.value)}
            />
          )}
        </Field>
        <div className="row">
          <button type="submit" className={primary ? 'button button-primary' : 'button'} aria-disabled={busy}>
            {busy ? 'Signing …' : action}
          </button>
        </div>
      </form>
      <Problem title="Not signed." error={error} />
      {signed !== undefined && (
        <div className="field">
          <span className="field-label" id={`${id}-signed`}>
            {signedLabel}
            <CopyButton text={signed} label={copyLabel} />
          </span>
          <output className="code mono break small" aria-labelledby={`${id}-signed`}>
            {signed}
          </output>
        </div>
      )}
    </>
  )
}
