import { useConnectors, useKeybay } from '@keybay/react'
import { useEffect, useRef, useState } from 'react'
import { Glyph, LineForm, toast } from '../design/index.js'
import { explain } from '../wording.js'
import type { Choice } from './attempt-view.js'

/** Name of a passkey whose user gives none. */
const DEFAULT_NAME = 'My Keybay account'

interface PasskeyChoicesProps {
  start(choice: Choice): void
  /** Called when a passkey offered by the browser has signed the user in. */
  onDone(): void
}
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
        toast('You are signed in', 'good', 'session')
      },
      error => toast(explain(error), 'bad'),
    )
    return () => leaving.abort()
  }, [passkey])
  if (!connector) return null
  const create = (userName: string) => start({ connector, input: { signUp: true, userName, name: userName } })
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
          <LineForm
            className="stack new-passkey"
            label="Your name, as your device will show it (optional)"
            input={{ autoComplete: 'nickname', maxLength: 64 }}
            focused
            wide
            action="Create passkey"
            submit={name => void create(name || DEFAULT_NAME)}
          />
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
