import { useAction } from '@keybay/react'
import { Glyph, Problem, signInMessages, toast, useMessages } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useAccount } from '../react/account.js'
import { LastUsed, useLastUsed, useRecentSignIns } from './last-used.js'

/** Sign-in by a token that the app's own server issues. */
export interface HostToken {
  /** Name of the account that the user has there, e.g. `Acme`. */
  readonly name: string
  getToken(signal: AbortSignal): Promise<string>
}

/** Stands for the app's own accounts where connectors have ids. */
const HOST = 'host'

interface HostTokenChoiceProps {
  readonly hostToken: HostToken
  onDone(): void
}
export function HostTokenChoice({ hostToken: { name, getToken }, onDone }: HostTokenChoiceProps): ReactElement {
  const account = useAccount()
  const { text, rich } = useMessages(signInMessages)
  const { status, error, runAsync } = useAction(async (signal: AbortSignal) =>
    account.signInWithToken(await getToken(signal), { signal }),
  )
  const { add: remember } = useRecentSignIns()
  const describe = useLastUsed()
  const busy = status === 'pending'
  const start = () => {
    if (busy) return
    runAsync().then(
      () => {
        onDone()
        remember(HOST)
        toast(text('signedIn'), 'good', 'session')
      },
      () => {}, // the UI shows `error`
    )
  }
  return (
    <>
      <button type="button" className="keybay-choice" aria-busy={busy} onClick={start} {...describe(HOST)}>
        <Glyph name="host" size={24} />
        <span className="keybay-choice-name">{rich('continueWith', { name })}</span>
        <LastUsed id={HOST} silent />
      </button>
      <Problem title={text('notSignedIn')} error={error} />
    </>
  )
}
