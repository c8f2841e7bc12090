import type { Prompt } from '@keybay/kernel'
import { type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { Field } from '../design/field.js'
import { explain } from '../wording.js'
import { useSubmit } from './use-submit.js'

/** Prompts for one of the recovery codes, for a user who lost their device. */
export function RecoveryFactor({ prompt }: { readonly prompt: Prompt<'mfa'> }): ReactElement {
  const { busy, error, submit } = useSubmit(prompt.submit, prompt.answer)
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => input.current?.focus(), [])
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (code.trim()) submit({ recoveryCode: code.trim() })
      }}
    >
      <Field id={id} label="Recovery code" error={error && explain(error)}>
        {aria => (
          <input
            {...aria}
            ref={input}
            className="input input-mono"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="XXXXX-XXXXX"
            readOnly={busy}
            value={code}
            onChange={event => setCode(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className="button button-primary button-wide" aria-disabled={busy || !code.trim()}>
        {busy ? 'Checking …' : 'Use recovery code'}
      </button>
    </form>
  )
}
