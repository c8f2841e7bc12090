import { type Connector, isKeybayError, type SessionState, toKeybayError } from '@keybay/kernel'
import { webauthnUnsupported } from '@keybay/kernel/spec'
import { useConnectors, useKeybay } from '@keybay/react'
import { Button, Glyph, LineForm, signInMessages, toast, useFocus, useMessages } from '@keybay/react/ui'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { CallOptions } from '../api.js'
import type { Choice } from './attempt.js'
import { LastUsed, useLastUsed, useRecentSignIns } from './last-used.js'

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

/** Offers passkeys in the address field above while that field is shown. */
function useAutofill(onDone: () => void): void {
  const keybay = useKeybay()
  const { text } = useMessages(signInMessages)
  const { add: remember } = useRecentSignIns()
  const latest = useRef({ onDone, text, remember })
  useEffect(() => {
    latest.current = { onDone, text, remember }
  })
  useEffect(() => {
    if (!hasPasskeys(keybay)) return
    const leaving = new AbortController()
    keybay.passkey.autofill({ signal: leaving.signal }).then(
      session => {
        if (!session) return
        latest.current.onDone()
        latest.current.remember('passkey')
        toast(latest.current.text('signedIn'), 'good', 'session')
      },
      // The user chose nothing yet where the browser has no passkeys.
      error => isKeybayError(error, webauthnUnsupported) || toast(toKeybayError(error), 'bad'),
    )
    return () => leaving.abort()
  }, [keybay])
}

interface NewPasskeyProps {
  readonly connector: Connector
  start(choice: Choice): void
}
/** Creates an account with a passkey. */
export function NewPasskey({ connector, start }: NewPasskeyProps): ReactElement {
  const { config } = useKeybay()
  const { text } = useMessages(signInMessages)
  const create = (userName: string) => start({ connector, input: { signUp: true, userName, name: userName } })
  return (
    <LineForm
      label={text('passkeyName')}
      input={{ autoComplete: 'nickname', maxLength: 64 }}
      wide
      action={text('createPasskey')}
      submit={name => void create(name || text('passkeyDefault', { app: config.appName }))}
    />
  )
}

/**
 * One button. Who signed in with a passkey here signs in at once; others choose between signing in and signing up, because
 * the browser's window is a dead end for a user without a passkey.
 */
export function PasskeyChoices({ start, onDone }: PasskeyChoicesProps): ReactElement | null {
  const { text } = useMessages(signInMessages)
  const connector = useConnectors({ method: 'passkey' }).find(({ readiness }) => readiness === 'ready')
  const describe = useLastUsed()
  const isKnown = useRecentSignIns().list.includes('passkey')
  const [isOpen, setOpen] = useState(false)
  const first = useFocus<HTMLButtonElement>(isOpen)
  useAutofill(onDone)
  if (!connector) return null
  const signIn = () => start({ connector })
  if (isOpen)
    return (
      <fieldset className="keybay-stack keybay-box">
        <legend className="keybay-hidden">{text('passkey')}</legend>
        <Button ref={first} wide icon="key" text={text('passkeyHave')} onClick={signIn} />
        <p className="keybay-or" aria-hidden="true">
          {text('or')}
        </p>
        <NewPasskey connector={connector} start={start} />
      </fieldset>
    )
  return (
    <button
      type="button"
      className="keybay-choice"
      aria-expanded={isKnown ? undefined : false}
      onClick={isKnown ? signIn : () => setOpen(true)}
      {...describe('passkey')}
    >
      <Glyph name="key" size={24} />
      <span className="keybay-choice-name">{text('passkey')}</span>
      <LastUsed id="passkey" silent />
    </button>
  )
}
