import type { User } from '@keybay/account'
import { useUser } from '@keybay/account/react'
import { useTurnkeyWallet } from '@keybay/turnkey/react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../design/button.js'
import { Card } from '../design/card.js'
import { Failure, Loading, Notice, Problem } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { formatDay } from '../design/format.js'
import { useChange } from '../design/use-change.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { Link } from '../routing/link.js'
import { navigate } from '../routing/router.js'
import { explain } from '../wording.js'
import { credentialName, embeddedWallets, methods, signInMethods } from './names.js'

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

function ConfirmationForm({ user, cancel }: ConfirmationProps) {
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
        <Button
          kind="danger"
          text={remove.busy ? 'Deleting …' : 'Delete my account'}
          type="submit"
          busy={remove.busy}
        />
        <Button text="Cancel" onClick={cancel} />
      </div>
      <Problem title="Your account was not deleted." error={remove.error} />
    </form>
  )
}

/** Reloads the account first, so that the list includes a wallet created moments ago. */
function Confirmation({ user, cancel }: ConfirmationProps) {
  const { refresh } = useUser()
  const { run } = refresh
  useEffect(() => {
    run()
  }, [run])
  if (refresh.status === 'success') return <ConfirmationForm user={user} cancel={cancel} />
  if (refresh.status !== 'error') return <Loading what="what is in your account" widths={[24]} />
  return (
    <Notice kind="bad" title="We could not check what is in your account.">
      <span>{explain(refresh.error)}</span>
      <div className="row">
        <Button small text="Try again" onClick={() => run()} />
        <Button small text="Cancel" onClick={cancel} />
      </div>
    </Notice>
  )
}

export function DeleteCard({ user }: { readonly user: User }) {
  const [asks, ask] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(asks)
  // The notice above the page shows the pending deletion and can cancel it.
  if (typeof user.deletesAt === 'number') return null
  return (
    <Card title="Delete account">
      <p className="soft">
        Your profile and every way to sign in are deleted after {DAYS_TO_UNDO} days. After that you can’t use your
        wallets here. Export what you want to keep first. If a server may sign for a wallet, revoke its access first.
      </p>
      {asks ? (
        <Confirmation user={user} cancel={() => ask(false)} />
      ) : (
        <div className="row">
          <Button kind="danger" text="Delete account" ref={button} onClick={() => ask(true)} />
        </div>
      )}
    </Card>
  )
}

interface LostWallet {
  readonly address: string
  readonly exportPath: string
}

function WalletRows({ name, wallets }: { readonly name: string; readonly wallets: readonly LostWallet[] }) {
  return (
    <ul className="items" aria-label={name}>
      {wallets.map(({ address, exportPath }) => (
        <li key={address} className="item">
          <div className="item-text">
            <p className="mono break">{address}</p>
          </div>
          <div className="item-actions">
            <Link to={exportPath} className="button button-small">
              Export<span className="visually-hidden"> {address}</span>
            </Link>
          </div>
        </li>
      ))}
    </ul>
  )
}

function EmbeddedLoss({ user }: { readonly user: User }) {
  const wallets = embeddedWallets(user).map(({ address = '' }) => ({
    address,
    exportPath: `/wallets/${address}/export`,
  }))
  if (wallets.length === 0) return null
  return (
    <>
      <h4>Wallets</h4>
      <WalletRows name="Wallets that you lose" wallets={wallets} />
      <p className="soft">
        You also lose the backups of these wallets that we keep for you. Only an exported key, or a backup that you keep
        yourself together with this browser’s part, still opens a wallet. You can use an exported key in other wallet
        apps, but you can’t import it here again.
      </p>
      <p className="soft">
        The wallet service keeps its encrypted part of each wallet, and you can’t sign in to it any more. A server that
        may sign for a wallet (a delegate) keeps its access until you revoke it. Revoke it first, on the wallet’s
        security page: after the deletion you can’t.
      </p>
    </>
  )
}

function CustodyLoss() {
  const { wallets, status, error, refresh } = useTurnkeyWallet()
  if (status === 'error' && error && !wallets)
    return <Failure title="We could not check whether you have a custody wallet." error={error} retry={refresh.run} />
  if (!wallets) return status === 'none' ? null : <Loading what="your custody wallet" widths={[24]} />
  if (wallets.length === 0) return null
  const rows = wallets.map(({ address }) => ({ address, exportPath: `/custody/${address}/export` }))
  return (
    <>
      <h4>Custody wallet</h4>
      <WalletRows name="Custody accounts that you lose" wallets={rows} />
    </>
  )
}

/** Lists everything that is deleted with the account, with a link to export each wallet's key. */
export function LossList({ user }: { readonly user: User }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Move a screen reader to the list before the confirmation field.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="stack">
      <h3 ref={heading} tabIndex={-1}>
        What you lose with your account
      </h3>
      <EmbeddedLoss user={user} />
      <CustodyLoss />
      <h4>Ways to sign in</h4>
      <ul className="bullets" aria-label="Ways to sign in that you lose">
        {signInMethods(user).map(credential => (
          <li key={credential.id} className="break">
            {credentialName(credential)} <span className="tag">{methods[credential.method].name}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shown on every page while the signed-in user's account is scheduled for deletion. */
export function DeletionNotice() {
  const { user, restore } = useUser()
  const keep = useChange(restore, 'Your account stays')
  const isLeaving = typeof user?.deletesAt === 'number'
  useLostFocus(isLeaving)
  if (!isLeaving) return null
  return (
    <Notice kind="warn" title={`Your account will be deleted on ${formatDay(user.deletesAt)}.`}>
      <span>Until then you can keep it, with everything in it.</span>
      <Button
        small
        text={keep.busy ? 'Keeping your account …' : 'Keep my account'}
        busy={keep.busy}
        onClick={() => {
          keep.run()
        }}
      />
      <Problem title="Your account still waits to be deleted." error={keep.error} />
    </Notice>
  )
}
