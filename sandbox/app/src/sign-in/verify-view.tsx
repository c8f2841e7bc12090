import { useUser } from '@keybay/account/react'
import { useKeybay } from '@keybay/react'
import type { ReactElement } from 'react'
import { DialogHead } from '../design/dialog-head.js'
import { Loading, Skeleton } from '../design/feedback.js'
import { AddressForm } from './address-form.js'
import type { Choice, SignInAttempt } from './use-attempt.js'

interface VerifyViewProps {
  readonly titleId: string
  readonly attempt: SignInAttempt
  start(choice: Choice): void
}
/** Shown when the user is signed in but must verify something before the session can do anything else. */
export function VerifyView({ titleId, attempt, start }: VerifyViewProps): ReactElement {
  const { account } = useKeybay()
  const { user } = useUser()
  const kind = user?.step === 'verify-sms' ? 'phone' : 'email'
  return (
    <>
      <DialogHead id={titleId} title="One more step" />
      <div className="dialog-body">
        {user ? (
          <>
            <p>
              This app needs {kind === 'phone' ? 'your phone number' : 'your email address'} before you go on. We send a
              code to it.
            </p>
            <AddressForm key={kind} kinds={[kind]} attempt={attempt} start={start} />
          </>
        ) : (
          <p>
            <Skeleton width={28} />
            <Loading what="what is missing" />
          </p>
        )}
        <button type="button" className="button button-quiet button-wide" onClick={() => void account.signOut()}>
          Sign out instead
        </button>
      </div>
    </>
  )
}
