import { useUser } from '@keybay/account/react'
import { userName } from '@keybay/account/ui'
import type { WalletCredential } from '@keybay/kernel/spec'
import { useTurnkeyExport, useTurnkeyRecovery, useTurnkeyWallet } from '@keybay/turnkey/react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button, Card, formatMoment, Notice, Page, Problem, TextAreaField, useChange } from '../design/index.js'
import { NeedsSignIn, NotYours, WalletsState } from '../embedded/own-wallet.js'
import { InboxLink } from '../inbox-link.js'
import { navigate } from '../routing/router.js'

interface OwnCustodyWalletProps {
  /** Default: any of the user's accounts. */
  readonly address?: string
  readonly children: (wallet: WalletCredential) => ReactNode
}

function OwnCustodyWallet({ address, children }: OwnCustodyWalletProps) {
  const { wallets, status, error, refresh } = useTurnkeyWallet()
  const wallet = wallets?.find(wallet => address === undefined || wallet.address === address)
  if (wallet) return <>{children(wallet)}</>
  const failed = status === 'error' ? error : undefined
  if (failed || !wallets)
    return <WalletsState failed={failed} isKnown={wallets !== undefined} isShown={false} retry={refresh.run} />
  const title = address === undefined ? 'You have no custody wallet' : 'This is not one of your accounts'
  return <NotYours title={title} to="/custody" text="To your custody wallet" />
}

function KeyCard({ wallet: { address } }: { readonly wallet: WalletCredential }) {
  const place = useRef<HTMLDialogElement>(null)
  const exportKey = useTurnkeyExport()
  const { busy, error, run } = useChange(exportKey, undefined)
  const start = (words: boolean) => {
    const displayContainer = place.current
    if (displayContainer) run(address, { displayContainer, words })
  }
  return (
    <Card title="The key and the words">
      <p className="mono small break">{address}</p>
      <p>
        Custody seals it to a window of another origin, which shows it to you for a minute; this page never has it. The
        key alone is enough to take everything, without your passkey and without custody. It belongs to this account
        only; all accounts of the wallet, on every chain, come from its words.
      </p>
      <p className="soft small">Confirm with your passkey each time.</p>
      <div className="row">
        <Button kind="danger" text="Show my key" busy={busy} onClick={() => start(false)} />
        <Button kind="danger" text="Show my words" busy={busy} onClick={() => start(true)} />
      </div>
      <dialog ref={place} />
      <Problem title="Nothing was shown." error={error} />
    </Card>
  )
}

export function CustodyExportPage({ address }: { readonly address: string }) {
  return (
    <Page title="Export a custody key" width="narrow" lead="To take an account to another wallet.">
      <NeedsSignIn>
        <OwnCustodyWallet address={address}>{wallet => <KeyCard wallet={wallet} />}</OwnCustodyWallet>
      </NeedsSignIn>
    </Page>
  )
}

/** Code form for one email: a new email resets the form. */
function CodeForm({ goodUntil }: { readonly goodUntil: number | undefined }) {
  const { user } = useUser()
  const { complete } = useTurnkeyRecovery()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const { busy, error, run } = useChange(complete, 'You can sign again', () => navigate('/custody'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setProblem(code.trim() ? undefined : 'Paste the code from the mail.')
    if (code.trim() && user) run({ code, passkeyName: userName(user) })
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextAreaField
        label="Code from the mail"
        error={problem}
        className="keybay-input mono small"
        rows={3}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={busy}
        value={code}
        change={setCode}
      />
      <p className="soft small">
        It opens in this tab alone: a reload needs a new one.
        {goodUntil !== undefined && ` Good until ${formatMoment(goodUntil)}.`}
      </p>
      <div className="row">
        <Button type="submit" kind="primary" text={busy ? 'Follow your browser …' : 'Make a new passkey'} busy={busy} />
      </div>
      <Problem title="Nothing has changed." error={error} />
    </form>
  )
}

function RecoverCard() {
  const recovery = useTurnkeyRecovery()
  const { user } = useUser()
  const { busy, error, run } = useChange(recovery.begin, 'We sent a code')
  const { status, codeExpiresAt } = recovery.state ?? {}
  const isActive = status === 'active'
  const look = isActive ? { small: true, text: 'Send a new code' } : { kind: 'primary' as const, text: 'Send the code' }
  return (
    <Card title="Recover by email">
      <p>
        We mail a code to the address of the wallet. With it this browser makes a new passkey; accounts and addresses
        stay, and your old passkeys too, should you find them again.
      </p>
      {status === 'expired' && (
        <Notice kind="warn" title="This took too long.">
          Send a new code to go on.
        </Notice>
      )}
      {isActive && <CodeForm key={codeExpiresAt} goodUntil={codeExpiresAt} />}
      <div className="row">
        <Button {...look} {...(busy && { text: 'Sending …' })} busy={busy} onClick={() => run()} />
      </div>
      <Problem title="No code was sent." error={error} />
      {isActive && <InboxLink {...(user?.email && { to: user.email })} />}
    </Card>
  )
}

export function CustodyRecoveryPage() {
  return (
    <Page title="Recover a custody wallet" width="narrow" lead="For a lost device, or a passkey that is gone.">
      <NeedsSignIn>
        <OwnCustodyWallet>{() => <RecoverCard />}</OwnCustodyWallet>
      </NeedsSignIn>
    </Page>
  )
}
