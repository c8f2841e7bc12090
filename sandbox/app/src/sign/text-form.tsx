/** Form for a text that is signed if it is valid, with the result. */
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
  /** Label of the text field. */
  readonly label: string
  readonly text: string
  readonly change: (text: string) => void
  /** Returns why the text cannot be signed, or undefined. */
  readonly check: (text: string) => string | undefined
  readonly sign: (text: string) => void
  /** Button label. */
  readonly action: string
  readonly primary?: boolean
  readonly busy: boolean
  readonly error: KeybayError | undefined
  readonly signed: string | undefined
  /** Label of the result: the signed text, or the signature. */
  readonly signedLabel: string
  readonly copyLabel: string
  /** Content above the text field. */
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
  /** The text that was tried; a different text has no result yet. */
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
