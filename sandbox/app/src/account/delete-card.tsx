import type { User } from '@keybay/account'
import { useUser } from '@keybay/account/react'
import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { Loading, Notice, Skeleton } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { formatDay } from '../design/format.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { navigate } from '../routing/router.js'
import { explain } from '../wording.js'
import { LossList } from './loss-list.js'
import { Problem } from './problem.js'
import { useChange } from './use-change.js'

/** Word that the user must type, so that an account is not deleted by accident. */
const WORD = 'delete'

const DAYS_TO_UNDO = 30
const DAY_MS = 86_400_000

function lastDay(): string {
  return formatDay(Date.now() + DAYS_TO_UNDO * DAY_MS)
}

interface ConfirmationProps {
  readonly user: User
  cancel(): void
}

function ConfirmationForm({ user, cancel }: ConfirmationProps): ReactElement {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const remove = useChange(useUser().delete, `Your account is deleted on ${lastDay()}`, () => navigate('/'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim().toLowerCase() === WORD) remove.run()
    else {
      setProblem(`Type “${WORD}” to go on.`)
      input.current?.focus()
    }
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <LossList user={user} />
      <p>
        You are signed out everywhere at once. Until {lastDay()} you can sign in again and keep your account; after that
        we can’t bring it back.
      </p>
      <Field id={id} label={`Type “${WORD}” to confirm`} error={problem}>
        {aria => (
          <input
            {...aria}
            ref={input}
            className="input"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            onChange={event => {
              setText(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
      </Field>
      <div className="row">
        <button type="submit" className="button button-danger" aria-disabled={remove.busy}>
          {remove.busy ? 'Deleting …' : 'Delete my account'}
        </button>
        <button type="button" className="button" onClick={cancel}>
          Cancel
        </button>
      </div>
      <Problem title="Your account was not deleted." error={remove.error} />
    </form>
  )
}

/** Reloads the account first, so that the list includes a wallet created moments ago. */
function Confirmation({ user, cancel }: ConfirmationProps): ReactElement {
  const { refresh } = useUser()
  const { run } = refresh
  useEffect(() => {
    run()
  }, [run])
  if (refresh.status === 'success') return <ConfirmationForm user={user} cancel={cancel} />
  if (refresh.status !== 'error')
    return (
      <p>
        <Skeleton width={24} />
        <Loading what="what is in your account" />
      </p>
    )
  return (
    <Notice kind="bad" title="We could not check what is in your account.">
      <span>{explain(refresh.error)}</span>
      <div className="row">
        <button type="button" className="button button-small" onClick={() => run()}>
          Try again
        </button>
        <button type="button" className="button button-small" onClick={cancel}>
          Cancel
        </button>
      </div>
    </Notice>
  )
}

export function DeleteCard({ user }: { readonly user: User }): ReactElement | null {
  const [asks, ask] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(asks)
  // The notice above the page shows the pending deletion and can cancel it.
  if (typeof user.deletesAt === 'number') return null
  return (
    <section className="card" aria-labelledby="delete">
      <h2 id="delete">Delete account</h2>
      <p className="soft">
        Your profile and every way to sign in are deleted after {DAYS_TO_UNDO} days. After that you can’t use your
        wallets here. Export what you want to keep first. If a server may sign for a wallet, revoke its access first.
      </p>
      {asks ? (
        <Confirmation user={user} cancel={() => ask(false)} />
      ) : (
        <div className="row">
          <button ref={button} type="button" className="button button-danger" onClick={() => ask(true)}>
            Delete account
          </button>
        </div>
      )}
    </section>
  )
}
