import {
  Button,
  Card,
  LineForm,
  Loading,
  Notice,
  Problem,
  securityMessages,
  useChange,
  useDates,
  useExplain,
  useFocus,
  useLostFocus,
  useMessages,
} from '@keybay/react/ui'
import { type ReactElement, useEffect, useState } from 'react'
import { useUser } from '../react/user.js'
import type { User } from '../user.js'
import { credentialName, methodKey, signInMethods } from './names.js'
import { useSlots } from './slots.js'

const DAYS_TO_UNDO = 30
const DAY_MS = 86_400_000

function getLastDay(): number {
  return Date.now() + DAYS_TO_UNDO * DAY_MS
}

interface ConfirmationProps {
  readonly user: User
  cancel(): void
}

function ConfirmationForm({ user, cancel }: ConfirmationProps) {
  const { text, rich } = useMessages(securityMessages)
  const { day } = useDates()
  const { onDeleted } = useSlots()
  const date = day(getLastDay())
  const word = text('deleteWord')
  const { busy, error, run } = useChange(useUser().delete, text('deleteDone', { date }), () => onDeleted?.())
  return (
    <div className="keybay-stack">
      <LossList user={user} />
      <p>{rich('deleteWhen', { date })}</p>
      <LineForm
        label={text('deleteConfirm', { word })}
        input={{ autoCapitalize: 'none' }}
        kind="danger"
        action={text(busy ? 'deleting' : 'deleteButton')}
        busy={busy}
        submit={typed => (typed.toLowerCase() === word ? void run() : text('deleteMissing', { word }))}
        beside={<Button text={text('cancel')} onClick={cancel} />}
      />
      <Problem title={text('deleteFailed')} error={error} />
    </div>
  )
}

/** Reloads the account first, so that the list includes a wallet created moments ago. */
function Confirmation({ user, cancel }: ConfirmationProps) {
  const { text } = useMessages(securityMessages)
  const explain = useExplain()
  const { refresh } = useUser()
  const { run } = refresh
  useEffect(() => {
    run()
  }, [run])
  if (refresh.status === 'success') return <ConfirmationForm user={user} cancel={cancel} />
  if (refresh.status !== 'error') return <Loading what={text('deleteRead')} widths={[24]} />
  return (
    <Notice kind="bad" title={text('deleteReadFailed')}>
      <span>{explain(refresh.error)}</span>
      <div className="keybay-line">
        <Button small text={text('tryAgain')} onClick={() => run()} />
        <Button small text={text('cancel')} onClick={cancel} />
      </div>
    </Notice>
  )
}

export function DeleteCard({ user }: { readonly user: User }): ReactElement | null {
  const { text, rich } = useMessages(securityMessages)
  const [asks, ask] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(asks)
  // The notice above the page shows the pending deletion and can cancel it.
  if (typeof user.deletesAt === 'number') return null
  return (
    <Card title={text('deleteTitle')}>
      <p className="keybay-soft">{rich('deleteText', { days: DAYS_TO_UNDO })}</p>
      {asks ? (
        <Confirmation user={user} cancel={() => ask(false)} />
      ) : (
        <div className="keybay-line">
          <Button kind="danger" text={text('deleteTitle')} ref={button} onClick={() => ask(true)} />
        </div>
      )}
    </Card>
  )
}

/** Lists everything that is deleted with the account, with a link to export each wallet's key. */
function LossList({ user }: { readonly user: User }) {
  const { text } = useMessages(securityMessages)
  const { losses } = useSlots()
  // Moves a screen reader to the list before the confirmation field.
  const heading = useFocus<HTMLHeadingElement>()
  return (
    <div className="keybay-stack">
      <h3 ref={heading} tabIndex={-1}>
        {text('lose')}
      </h3>
      {losses?.(user)}
      <h4>{text('ways')}</h4>
      <ul className="keybay-bullets" aria-label={text('loseWays')}>
        {signInMethods(user).map(credential => (
          <li key={credential.id} className="keybay-break">
            <bdi>{credentialName(credential)}</bdi>{' '}
            <span className="keybay-tag">{text(methodKey(credential.method))}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
