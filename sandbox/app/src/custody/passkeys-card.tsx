import { useTurnkeyUser } from '@keybay/turnkey/react'
import { type FormEvent, type ReactElement, useId, useRef, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Loading, Skeleton } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { Glyph } from '../design/icons.js'
import { useWhenOpen } from './use-when-open.js'

const MAX_NAME_LENGTH = 64

function AddPasskey({ add }: { readonly add: ReturnType<typeof useTurnkeyUser>['addPasskey'] }): ReactElement {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const adding = useChange(add, 'Passkey added', () => setName(''))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) adding.run(name.trim())
    else {
      setProblem('Give it a name that you will know it by, for example “Phone”.')
      input.current?.focus()
    }
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field id={id} label="Name of the new passkey" error={problem}>
        {aria => (
          <input
            {...aria}
            ref={input}
            className="input"
            autoComplete="off"
            maxLength={MAX_NAME_LENGTH}
            value={name}
            onChange={event => {
              setName(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
      </Field>
      <p className="soft small">Create the new passkey, then confirm with a passkey you already have.</p>
      <div className="row">
        <button type="submit" className="button" aria-disabled={adding.busy}>
          <Glyph name="plus" size={18} />
          {adding.busy ? 'Confirm with your passkey…' : 'Add a passkey'}
        </button>
      </div>
      <Problem title="No passkey was added." error={adding.error} />
    </form>
  )
}

/** Lists the passkeys of the custody wallet; each of them can sign. */
export function PasskeysCard(): ReactElement {
  const { user, load, addPasskey } = useTurnkeyUser()
  const show = useChange(load, undefined)
  useWhenOpen(load.run)
  return (
    <section className="card" aria-labelledby="custody-passkeys">
      <h2 id="custody-passkeys">Passkeys</h2>
      {user && (
        <>
          <ul className="items" aria-label="Passkeys">
            {user.passkeys.map(({ id, name }) => (
              <li key={id} className="item">
                <Glyph name="key" size={24} />
                <p className="item-text item-title break">{name}</p>
              </li>
            ))}
          </ul>
          {user.passkeys.length === 1 && (
            <p className="soft small">With a second one, on another device, you need no recovery when you lose this.</p>
          )}
        </>
      )}
      {!user && show.busy && (
        <p>
          <Skeleton width={24} />
          <Loading what="your passkeys" />
        </p>
      )}
      {!user && !show.busy && (
        <div className="row row-apart">
          <p className="soft small">Custody tells them only to you.</p>
          <button type="button" className="button button-small" onClick={() => show.run()}>
            Show passkeys
          </button>
        </div>
      )}
      <Problem title="Your passkeys could not be loaded." error={show.error} />
      <AddPasskey add={addPasskey} />
    </section>
  )
}
