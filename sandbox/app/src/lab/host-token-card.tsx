import { useAction, useKeybay } from '@keybay/react'
import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Field } from '../design/field.js'
import { fetchHostToken } from './host-token.js'

/** Signs in with an account of the host: the app's server issues the token. */
export function HostTokenCard(): ReactElement {
  const { account } = useKeybay()
  const [user, setUser] = useState('mara')
  const id = useId()
  const show = useAction(async (signal, name: string) =>
    account.signInWithToken(await fetchHostToken(name, signal), { signal }),
  )
  const signIn = useChange(show, 'Signed in with the host’s token')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.run(user.trim())
  }
  return (
    <li className="card">
      <form className="stack" onSubmit={submit}>
        <div className="stack-tight">
          <h2>An account of the host’s own</h2>
          <p className="soft">
            This app’s server says who you are, in a token that it signs. Signed in already, you add the account to
            yours.
          </p>
        </div>
        <Field id={id} label="User of the host" error={undefined}>
          {aria => (
            <input
              {...aria}
              className="input"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              maxLength={64}
              value={user}
              onChange={event => setUser(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button" aria-disabled={signIn.busy}>
          {signIn.busy ? 'Signing in …' : 'Sign in with the host’s token'}
        </button>
        <Problem title="Not signed in." error={signIn.error} />
      </form>
    </li>
  )
}
