import { useConnectors, useKeybay } from '@keybay/react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../design/button.js'
import { Field } from '../design/field.js'
import { Glyph } from '../design/icons.js'
import { toast } from '../design/toasts.js'
import { explain } from '../wording.js'
import type { Choice } from './attempt-view.js'

/** Maximum length of a passkey name. */
const MAX_LENGTH = 64

interface PasskeyChoicesProps {
  start(choice: Choice): void
  /** Called when a passkey offered by the browser has signed the user in. */
  onDone(): void
}
/** Signs in with an existing passkey, or creates an account with a new one. */
export function PasskeyChoices({ start, onDone }: PasskeyChoicesProps) {
  const { passkey } = useKeybay()
  const connector = useConnectors({ method: 'passkey' }).find(({ readiness }) => readiness === 'ready')
  const [isNew, setNew] = useState(false)
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  // Offer passkeys in the address field above while that field is shown.
  useEffect(() => {
    const leaving = new AbortController()
    passkey.autofill({ signal: leaving.signal }).then(
      session => {
        if (!session) return
        done.current()
        toast('You are signed in')
      },
      error => toast(explain(error), 'bad'),
    )
    return () => leaving.abort()
  }, [passkey])
  if (!connector) return null
  return (
    <ul className="choices">
      <li>
        <button type="button" className="choice" onClick={() => start({ connector })}>
          <Glyph name="key" size={24} />
          <span className="choice-name">Sign in with a passkey</span>
        </button>
      </li>
      <li>
        {isNew ? (
          <NewPasskey create={userName => start({ connector, input: { signUp: true, userName } })} />
        ) : (
          <button type="button" className="choice" onClick={() => setNew(true)}>
            <Glyph name="plus" size={24} />
            <span className="choice-name">Create an account with a passkey</span>
          </button>
        )}
      </li>
    </ul>
  )
}

function NewPasskey({ create }: { create(userName: string): void }) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => input.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) create(name.trim())
    else {
      setProblem('Write a name: your device shows it when you sign in again.')
      input.current?.focus()
    }
  }
  return (
    <form className="stack new-passkey" onSubmit={submit} noValidate>
      <Field id={id} label="Your name, as your device will show it" error={problem}>
        {aria => (
          <input
            {...aria}
            ref={input}
            className="input"
            autoComplete="nickname"
            maxLength={MAX_LENGTH}
            value={name}
            onChange={event => {
              setName(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
      </Field>
      <Button wide text="Create passkey" type="submit" />
    </form>
  )
}
