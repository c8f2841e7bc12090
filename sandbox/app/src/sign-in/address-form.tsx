import { useConnectors } from '@keybay/react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Button } from '../design/button.js'
import { Field } from '../design/field.js'
import { explain } from '../wording.js'
import type { Choice, SignInAttempt } from './attempt-view.js'
import { type AddressKind, readAddress } from './read-address.js'

const labels: { readonly [K in AddressKind]: { readonly label: string; readonly autoComplete: string } } = {
  email: { label: 'Email address', autoComplete: 'email' },
  phone: { label: 'Phone number', autoComplete: 'tel' },
}

interface AddressFormProps {
  /** Accepted kinds of address; both share one field. */
  readonly kinds: readonly AddressKind[]
  readonly attempt: Pick<SignInAttempt, 'choice' | 'status' | 'error'>
  start(choice: Choice): void
  /** Lets the browser offer passkeys in this field. */
  readonly withPasskeys?: boolean
}
/** Form for the address that receives a one-time code. */
export function AddressForm({ kinds, attempt, start, withPasskeys = false }: AddressFormProps) {
  const connectors = useConnectors({ kind: 'login' })
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [only] = kinds.length === 1 ? kinds : []
  const { label, autoComplete } = only ? labels[only] : { label: 'Email or phone number', autoComplete: 'username' }
  const isMine = kinds.some(kind => kind === attempt.choice?.connector.id)
  const busy = isMine && attempt.status === 'pending'
  // A user who closed the code prompt needs no error.
  const failure = isMine && attempt.error?.code !== 'user_rejected' ? attempt.error : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const address = readAddress(text, kinds)
    const connector = connectors.find(connector => connector.id === address.kind)
    setProblem(address.problem)
    if (address.problem === undefined && connector) start({ connector, input: address.input })
    else input.current?.focus()
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field id={id} label={label} error={problem ?? (failure && explain(failure))}>
        {aria => (
          <input
            {...aria}
            ref={input}
            className="input"
            type="text"
            inputMode={only === 'phone' ? 'tel' : 'email'}
            autoComplete={withPasskeys ? 'username webauthn' : autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            placeholder={only === 'phone' ? '+41 79 123 45 67' : 'you@example.com'}
            readOnly={busy}
            value={text}
            onChange={event => {
              setText(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
      </Field>
      <Button kind="primary" wide text={busy ? 'Sending a code …' : 'Continue'} type="submit" busy={busy} />
    </form>
  )
}
