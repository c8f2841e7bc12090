import { isKeybayError, type SessionState, toKeybayError } from '@keybay/kernel'
import { webauthnUnsupported } from '@keybay/kernel/spec'
import { useConnectors, useKeybay } from '@keybay/react'
import { Glyph, LineForm, signInMessages, toast, useMessages } from '@keybay/react/ui'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { CallOptions } from '../api.js'
import type { Choice } from './attempt.js'

/** The part of `@keybay/passkey` that the dialog uses; that plugin is built on this one. */
interface WithPasskeys {
  readonly passkey: { autofill(options?: CallOptions): Promise<SessionState | undefined> }
}

function hasPasskeys(keybay: object): keybay is WithPasskeys {
  return 'passkey' in keybay
}

interface PasskeyChoicesProps {
  start(choice: Choice): void
  /** Called when a passkey offered by the browser has signed the user in. */
  onDone(): void
}
export function PasskeyChoices({ start, onDone }: PasskeyChoicesProps): ReactElement | null {
  const keybay = useKeybay()
  const { text } = useMessages(signInMessages)
  const connector = useConnectors({ method: 'passkey' }).find(({ readiness }) => readiness === 'ready')
  const [isNew, setNew] = useState(false)
  const latest = useRef({ onDone, text })
  useEffect(() => {
    latest.current = { onDone, text }
  })
  // Offer passkeys in the address field above while that field is shown.
  useEffect(() => {
    if (!hasPasskeys(keybay)) return
    const leaving = new AbortController()
    keybay.passkey.autofill({ signal: leaving.signal }).then(
      session => {
        if (!session) return
        latest.current.onDone()
        toast(latest.current.text('signedIn'), 'good', 'session')
      },
      // The user chose nothing yet where the browser has no passkeys.
      error => isKeybayError(error, webauthnUnsupported) || toast(toKeybayError(error), 'bad'),
    )
    return () => leaving.abort()
  }, [keybay])
  if (!connector) return null
  const create = (userName: string) => start({ connector, input: { signUp: true, userName, name: userName } })
  return (
    <ul className="keybay-options">
      <li>
        <button type="button" className="keybay-choice" onClick={() => start({ connector })}>
          <Glyph name="key" size={24} />
          <span className="keybay-choice-name">{text('passkey')}</span>
        </button>
      </li>
      <li>
        {isNew ? (
          <LineForm
            className="keybay-stack keybay-box"
            label={text('passkeyName')}
            input={{ autoComplete: 'nickname', maxLength: 64 }}
            focused
            wide
            action={text('createPasskey')}
            submit={name => void create(name || text('passkeyDefault', { app: keybay.config.appName }))}
          />
        ) : (
          <button type="button" className="keybay-choice" onClick={() => setNew(true)}>
            <Glyph name="plus" size={24} />
            <span className="keybay-choice-name">{text('passkeyNew')}</span>
          </button>
        )}
      </li>
    </ul>
  )
}
