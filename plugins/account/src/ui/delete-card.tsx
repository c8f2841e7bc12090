import type { User } from '@keybay/account'
import { useUser } from '@keybay/account/react'
import { useTurnkeyWallet } from '@keybay/turnkey/react'
import { useEffect, useState } from 'react'
import {
  Button,
  Card,
  Failure,
  formatDay,
  Item,
  LineForm,
  Loading,
  Notice,
  Problem,
  useChange,
  useFocus,
  useLostFocus,
} from '../design/index.js'
import { LinkButton } from '../routing/link.js'
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
  const { busy, error, run } = useChange(useUser().delete, `Your account is deleted on ${lastDay()}`, () =>
    navigate('/'),
  )
  return (
    <div className="stack">
      <LossList user={user} />
      <p>
        You are signed out everywhere at once. Until {lastDay()} you can sign in again and keep your account; after that
        we can’t bring it back.
      </p>
      <LineForm
        label={`Type “${WORD}” to confirm`}
        input={{ autoCapitalize: 'none' }}
        kind="danger"
        action={busy ? 'Deleting …' : 'Delete my account'}
        busy={busy}
        submit={text => (text.toLowerCase() === WORD ? void run() : `Type “${WORD}” to go on.`)}
        beside={<Button text="Cancel" onClick={cancel} />}
      />
      <Problem title="Your account was not deleted." error={error} />
    </div>
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

interface WalletRowsProps {
  readonly name: string
  readonly addresses: readonly string[]
  /** Section of the app that exports the key. */
  readonly section: 'wallets' | 'custody'
}
function WalletRows({ name, addresses, section }: WalletRowsProps) {
  const link = (address: string) => (
    <LinkButton to={`/${section}/${address}/export`} small text="Export" aria-label={`Export ${address}`} />
  )
  return (
    <ul className="keybay-items" aria-label={name}>
      {addresses.map(address => (
        <Item key={address} actions={link(address)}>
          <p className="mono break">{address}</p>
        </Item>
      ))}
    </ul>
  )
}

function EmbeddedLoss({ user }: { readonly user: User }) {
  const addresses = embeddedWallets(user).map(({ address = '' }) => address)
  if (addresses.length === 0) return null
  return (
    <>
      <h4>Wallets</h4>
      <WalletRows name="Wallets that you lose" addresses={addresses} section="wallets" />
      <p className="soft">
        You also lose the backups of these wallets that we keep for you. Only an exported key, or a backup that you keep
        yourself together with this browser’s part, still opens a wallet. You can use an exported key in other wallet
        apps, but you can’t import it here again.
      </p>
      <p className="soft">
        The wallet service erases its encrypted part of each wallet two weeks later, if the wallet isn’t used. A server
        that may sign for a wallet (a delegate) keeps its access until you revoke it, and what it signs keeps the
        wallet. Revoke it first, on the wallet’s security page: after the deletion you can’t.
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
  const addresses = wallets.map(({ address }) => address)
  return (
    <>
      <h4>Custody wallet</h4>
      <WalletRows name="Custody accounts that you lose" addresses={addresses} section="custody" />
    </>
  )
}

/** Lists everything that is deleted with the account, with a link to export each wallet's key. */
function LossList({ user }: { readonly user: User }) {
  // Moves a screen reader to the list before the confirmation field.
  const heading = useFocus<HTMLHeadingElement>()
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
            {credentialName(credential)} <span className="keybay-tag">{methods[credential.method].name}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
