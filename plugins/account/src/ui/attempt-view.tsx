/** One attempt to sign in or link: the choice and its progress. The dialog shows it in every view. */
import { useSignIn, useUser } from '@keybay/account/react'
import type { Connector, KeybayError } from '@keybay/kernel'
import { useKeybay } from '@keybay/react'
import { Icon } from '@keybay/react/ui'
import { useState } from 'react'
import { Button, DialogHead, Loading, Notice } from '../design/index.js'
import { explain, isRefusal } from '../wording.js'
import { AddressForm } from './address-form.js'

export interface Choice {
  readonly connector: Connector
  readonly input?: unknown
}

export type SignInAttempt = ReturnType<typeof useAttempt>

export function useAttempt() {
  const [choice, setChoice] = useState<Choice>()
  const { status, error, runAsync, reset } = useSignIn()
  return {
    choice,
    status,
    error,
    /** Call it in the click handler: a wallet or a passkey may open a window. */
    start(next: Choice, onDone: () => void) {
      setChoice(next)
      runAsync(next.connector.id, next.input).then(onDone, () => {}) // the UI shows `error`
    },
    /** Cancels the pending attempt and clears its result. */
    reset() {
      setChoice(undefined)
      reset()
    },
  }
}

function waiting({ kind, id, name }: Connector): string {
  if (kind === 'wallet')
    return `Confirm in ${name}. It may ask twice: to connect, and to sign. Nothing is sent and nothing costs.`
  return id === 'passkey' ? 'Follow the window of your browser.' : 'One moment.'
}

/** A phone may open a new tab for the response of a wallet app. */
function isReachedByLeaving(connector: Connector): boolean {
  return connector.kind === 'wallet' && connector.connectionType === 'deepLink'
}

interface AttemptViewProps {
  readonly titleId: string
  readonly choice: Choice
  readonly error: KeybayError | undefined
  retry(choice: Choice): void
  back(): void
}
export function AttemptView({ titleId, choice, error, retry, back }: AttemptViewProps) {
  const { connector } = choice
  return (
    <>
      <DialogHead id={titleId} title={connector.name} back="Choose another way" onBack={back} />
      <div className="keybay-dialog-body attempt">
        <Icon connector={connector} size={56} />
        {error?.code === 'aborted' && isReachedByLeaving(connector) ? (
          <Notice title={`${connector.name} came back to another tab.`}>Go on there.</Notice>
        ) : error ? (
          <>
            <Notice kind={isRefusal(error) ? 'warn' : 'bad'} title="Not signed in.">
              {explain(error)}
            </Notice>
            <Button kind="primary" wide text="Try again" onClick={() => retry(choice)} />
          </>
        ) : (
          <>
            <p className="row" role="status">
              <span className="keybay-spinner" aria-hidden="true" />
              <span>{waiting(connector)}</span>
            </p>
            <Button wide text="Cancel" onClick={back} />
          </>
        )}
      </div>
    </>
  )
}

interface VerifyViewProps {
  readonly titleId: string
  readonly attempt: SignInAttempt
  start(choice: Choice): void
}
/** Shown when the user is signed in but must verify something before the session can do anything else. */
export function VerifyView({ titleId, attempt, start }: VerifyViewProps) {
  const { account } = useKeybay()
  const { user } = useUser()
  const kind = user?.step === 'verify-sms' ? 'phone' : 'email'
  const address = kind === 'phone' ? 'your phone number' : 'your email address'
  return (
    <>
      <DialogHead id={titleId} title="One more step" />
      <div className="keybay-dialog-body">
        {user ? (
          <>
            <p>{`This app needs ${address} before you go on. We send a code to it.`}</p>
            <AddressForm key={kind} kinds={[kind]} attempt={attempt} start={start} />
          </>
        ) : (
          <Loading what="what is missing" widths={[28]} />
        )}
        <Button kind="quiet" wide text="Sign out instead" onClick={() => void account.signOut()} />
      </div>
    </>
  )
}
