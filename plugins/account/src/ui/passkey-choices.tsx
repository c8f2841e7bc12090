import { type Connector, isKeybayError, type SessionState, toKeybayError } from '@keybay/kernel'
import { aborted, userRejected, webauthnUnsupported } from '@keybay/kernel/spec'
import { useConnectors, useKeybay } from '@keybay/react'
import { Button, Glyph, LineForm, signInMessages, toast, useFocus, useMessages } from '@keybay/react/ui'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { CallOptions } from '../api.js'
import { useSignIn } from '../react/sign-in.js'
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

/** Signs in if the browser has a passkey at hand, without a dialog of the browser if it has none. */
function useImmediate(onDone: () => void, onNone: () => void) {
  const { text } = useMessages(signInMessages)
  const { add: remember } = useRecentSignIns()
  const { status, runAsync } = useSignIn()
  const run = () => {
    runAsync('passkey', { immediate: true }).then(
      () => {
        onDone()
        remember('passkey')
        toast(text('signedIn'), 'good', 'session')
      },
      error => {
        onNone()
        if (!isKeybayError(error, userRejected) && !isKeybayError(error, aborted)) toast(toKeybayError(error), 'bad')
      },
    )
  }
  return { busy: status === 'pending', run }
}

/**
 * One button. A user with a passkey here signs in at once; others choose between signing in with another device and signing
 * up, because the browser's window is a dead end for a user without a passkey.
 */
export function PasskeyChoices({ start, onDone }: PasskeyChoicesProps): ReactElement | null {
  const { text } = useMessages(signInMessages)
  const connector = useConnectors({ method: 'passkey' }).find(({ readiness }) => readiness === 'ready')
  const describe = useLastUsed()
  const isKnown = useRecentSignIns().list.includes('passkey')
  const [isOpen, setOpen] = useState(false)
  const first = useFocus<HTMLButtonElement>(isOpen)
  const { busy, run: immediate } = useImmediate(onDone, () => setOpen(true))
  useAutofill(onDone)
  if (!connector) return null
  const signIn = () => start({ connector })
  const begin = () => {
    if (isKnown) signIn()
    else if (!busy) immediate()
  }
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
    <button type="button" className="keybay-choice" aria-disabled={busy} onClick={begin} {...describe('passkey')}>
      <Glyph name="key" size={24} />
      <span className="keybay-choice-name">{text('passkey')}</span>
      <LastUsed id="passkey" silent />
    </button>
  )
}
