import { type FormEvent, useState } from 'react'
import { Button, type Change, Output, Problem, TextAreaField } from '../design/index.js'

export function checkJson(text: string): string | undefined {
  try {
    if (typeof JSON.parse(text) === 'object') return undefined
  } catch {
    // Reported below.
  }
  return 'This is no JSON. Check its brackets and commas.'
}

interface TextFormProps {
  readonly label: string
  readonly initial: string
  check(text: string): string | undefined
  sign(text: string): void
  readonly signing: Pick<Change<never, string>, 'busy' | 'error' | 'data'>
  readonly action: string
  readonly kind?: 'primary' | undefined
  readonly signedLabel: string
  readonly copyLabel: string
}

export function TextForm({ label, initial, check, sign, signing, action, kind, ...result }: TextFormProps) {
  const { busy, error, data } = signing
  const [text, setText] = useState(initial)
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
        <TextAreaField
          label={label}
          error={tried === text ? check(text) : undefined}
          className="keybay-input mono small"
          rows={6}
          spellCheck={false}
          value={text}
          change={setText}
        />
        <div className="row">
          <Button type="submit" kind={kind} text={busy ? 'Signing …' : action} busy={busy} />
        </div>
      </form>
      <Problem title="Not signed." error={error} />
      <Output label={result.signedLabel} copyLabel={result.copyLabel} text={data} />
    </>
  )
}
