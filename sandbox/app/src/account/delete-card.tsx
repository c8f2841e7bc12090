import { useUser } from '@keybay/account/react'
import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { Field } from '../design/field.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { navigate } from '../routing/router.js'
import { Problem } from './problem.js'
import { useChange } from './use-change.js'

/** What has to be typed, so that nobody does it by a slip. */
const WORD = 'delete'

function Confirmation({ cancel }: { cancel(): void }): ReactElement {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const remove = useChange(useUser().delete, 'Your account is deleted', () => navigate('/'))
  useEffect(() => input.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim().toLowerCase() === WORD) remove.run()
    else {
      setProblem(`Type “${WORD}” to go on.`)
      input.current?.focus()
    }
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field id={id} label={`Type “${WORD}” to confirm`} error={problem}>
        {aria => (
          <input
            {...aria}
            ref={input}
            className="input"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            onChange={event => {
              setText(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
      </Field>
      <div className="row">
        <button type="submit" className="button button-danger" aria-disabled={remove.busy}>
          {remove.busy ? 'Deleting …' : 'Delete for good'}
        </button>
        <button type="button" className="button" onClick={cancel}>
          Keep my account
        </button>
      </div>
      <Problem title="Your account was not deleted." error={remove.error} />
    </form>
  )
}

export function DeleteCard(): ReactElement {
  const [asks, ask] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(asks)
  return (
    <section className="card" aria-labelledby="delete">
      <h2 id="delete">Delete account</h2>
      <p className="soft">
        Your profile, every way to sign in and every session go at once, and cannot be brought back. What is in your
        wallets stays in your wallets.
      </p>
      {asks ? (
        <Confirmation cancel={() => ask(false)} />
      ) : (
        <div className="row">
          <button ref={button} type="button" className="button button-danger" onClick={() => ask(true)}>
            Delete account
          </button>
        </div>
      )}
    </section>
  )
}
