/** Views of an attempt that waits or has failed, and of a user who has to verify something. */
import type { Connector, KeybayError } from '@keybay/kernel'
import { useSession } from '@keybay/react'
import {
  Button,
  DialogHead,
  Icon,
  Loading,
  type Messages,
  Notice,
  signInMessages,
  useExplain,
  useMessages,
} from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useAccount } from '../react/account.js'
import { useUser } from '../react/user.js'
import { AddressForm } from './address-form.js'
import type { Choice, SignInAttempt } from './attempt.js'
import { NewPasskey } from './passkey-choices.js'
import { isRefusal } from './refusal.js'

type Texts = Messages<typeof signInMessages.texts>

function waiting({ kind, id, name }: Connector, { rich, text }: Texts) {
  if (kind === 'wallet') return rich('waitWallet', { name })
  return text(id === 'passkey' ? 'waitPasskey' : 'waitMoment')
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
export function AttemptView({ titleId, choice, error, retry, back }: AttemptViewProps): ReactElement {
  const texts = useMessages(signInMessages)
  const { text } = texts
  const explain = useExplain()
  const { connector } = choice
  const { status } = useSession()
  const isFirst = connector.id === 'passkey' && choice.input === undefined && status !== 'authenticated'
  return (
    <>
      <DialogHead id={titleId} title={connector.name} back={text('another')} onBack={back} />
      <div className="keybay-dialog-body keybay-attempt">
        <Icon connector={connector} size={56} />
        {error?.code === 'aborted' && isReachedByLeaving(connector) ? (
          <Notice title={text('otherTab', { name: connector.name })}>{text('goOnThere')}</Notice>
        ) : error ? (
          <>
            <Notice kind={isRefusal(error) ? 'warn' : 'bad'} title={text('notSignedIn')}>
              {explain(error)}
            </Notice>
            <Button kind="primary" wide text={text('tryAgain')} onClick={() => retry(choice)} />
            {isFirst && <NewPasskey connector={connector} start={retry} />}
          </>
        ) : (
          <>
            <p className="keybay-line" role="status">
              <span className="keybay-spinner" aria-hidden="true" />
              <span>{waiting(connector, texts)}</span>
            </p>
            <Button wide text={text('cancel')} onClick={back} />
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
export function VerifyView({ titleId, attempt, start }: VerifyViewProps): ReactElement {
  const { text } = useMessages(signInMessages)
  const account = useAccount()
  const { user } = useUser()
  const kind = user?.step === 'verify-sms' ? 'phone' : 'email'
  return (
    <>
      <DialogHead id={titleId} title={text('oneStep')} />
      <div className="keybay-dialog-body">
        {user ? (
          <>
            <p>{text(kind === 'phone' ? 'needsPhone' : 'needsEmail')}</p>
            <AddressForm key={kind} kinds={[kind]} attempt={attempt} start={start} />
          </>
        ) : (
          <Loading what={text('whatMissing')} widths={[28]} />
        )}
        <Button kind="quiet" wide text={text('signOut')} onClick={() => void account.signOut()} />
      </div>
    </>
  )
}
