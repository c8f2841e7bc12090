import { useUser } from '@keybay/account/react'
import { userName } from '@keybay/account/ui'
import type { Chain, WalletCredential } from '@keybay/kernel/spec'
import { shorten } from '@keybay/kernel/spec'
import { useTurnkeySession, useTurnkeySignTypedData, useTurnkeyWallet } from '@keybay/turnkey/react'
import { UseHere, useIsInUse } from '../connect/connect-provider.js'
import {
  Button,
  Card,
  CopyButton,
  Empty,
  formatMoment,
  Glyph,
  Item,
  Offer,
  Page,
  Problem,
  useChange,
} from '../design/index.js'
import { NeedsSignIn, WalletsState } from '../embedded/own-wallet.js'
import { chainNames } from '../embedded/schemes.js'
import { Link, LinkButton } from '../routing/link.js'
import { checkJson, TextForm } from '../sign/text-form.js'
import { ActivityCard, PasskeysCard } from './cards.js'

const names: Partial<Readonly<Record<Chain, string>>> = chainNames

function AccountRow({ wallet: { address, chain } }: { readonly wallet: WalletCredential }) {
  const name = shorten(address)
  const exportLink = <LinkButton to={`/custody/${address}/export`} small text="Export" aria-label={`Export ${name}`} />
  return (
    <Item mark={<Glyph name="wallet" size={24} />} actions={exportLink}>
      <p className="keybay-item-title row">
        <span className="mono" title={address}>
          {name}
        </span>
        <CopyButton text={address} label={`Copy ${name}`} />
      </p>
      <p className="soft small">{names[chain] ?? chain}</p>
    </Item>
  )
}

function UseIt() {
  const says = 'Its accounts are not among those of this app yet.'
  return useIsInUse('turnkey') ? (
    <div className="row">
      <LinkButton to="/send" kind="primary" text="Send" />
      <LinkButton to="/sign" text="Sign a message" />
    </div>
  ) : (
    <UseHere connector="turnkey" says={says} action="Use it here" failed="It is not connected." />
  )
}

function AccountsCard({ wallets }: { readonly wallets: readonly WalletCredential[] }) {
  const { busy, error, run } = useChange(useTurnkeyWallet().addAccount, 'Account added')
  const add = (chain: 'SOL' | 'EVM') => (
    <Button small icon="plus" text={`${chainNames[chain]} account`} busy={busy} onClick={() => run({ chain })} />
  )
  return (
    <Card title="Accounts">
      <ul className="keybay-items" aria-label="Accounts">
        {wallets.map(wallet => (
          <AccountRow key={wallet.id} wallet={wallet} />
        ))}
      </ul>
      <UseIt />
      <div className="row">
        {add('SOL')}
        {add('EVM')}
      </div>
      <Problem title="No account was added." error={error} />
    </Card>
  )
}

/** Manages the session key, which signs for a limited time without the passkey. */
function SessionCard() {
  const session = useTurnkeySession()
  const { busy, run } = useChange(session.end, 'Signing is locked')
  const { status, expirationDate = '' } = session.state ?? {}
  const isOpen = status === 'active'
  return (
    <Card
      title="Signing"
      side={<span className={isOpen ? 'keybay-tag keybay-tag-good' : 'keybay-tag'}>{isOpen ? 'Open' : 'Locked'}</span>}
    >
      <div className="row row-apart">
        <p className="soft small" role="status">
          {isOpen
            ? `This page signs without asking you until ${formatMoment(Date.parse(expirationDate))}, or until it is reloaded.`
            : 'The next signature asks for your passkey, and opens it for a while.'}
        </p>
        {isOpen && <Button small text="Lock now" busy={busy} onClick={() => run()} />}
      </div>
    </Card>
  )
}

function RecoveryCard() {
  return (
    <Card title="Lost your passkey?">
      <Offer says="A code by email lets this browser make a new one. Your accounts stay as they are.">
        <LinkButton to="/custody/recover" small text="Recover by email" />
      </Offer>
    </Card>
  )
}

const EXAMPLE = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Mail',
  domain: { name: 'Keybay sandbox' },
  message: { contents: 'Hello' },
}

/** Signs typed data (EIP-712), which Ethereum apps use instead of plain text. */
function TypedDataCard({ wallets }: { readonly wallets: readonly WalletCredential[] }) {
  const address = wallets.find(({ chain }) => chain === 'EVM')?.address
  const signing = useChange(useTurnkeySignTypedData(), undefined)
  return address === undefined ? null : (
    <Card title="Sign typed data">
      <TextForm
        label="Typed data, as JSON"
        initial={JSON.stringify(EXAMPLE, null, 2)}
        check={checkJson}
        sign={text => signing.run(address, text)}
        signing={signing}
        action="Sign typed data"
        signedLabel="Signature of the Ethereum account"
        copyLabel="Copy signature"
      />
    </Card>
  )
}

function CreateCard() {
  const { user } = useUser()
  const { busy, error, run } = useChange(useTurnkeyWallet().create, 'Your wallet is made')
  const start = () => run(user ? { passkeyName: userName(user) } : {})
  const button = (
    <Button kind="primary" text={busy ? 'Follow your browser …' : 'Create wallet'} busy={busy} onClick={start} />
  )
  return (
    <section className="keybay-card">
      <Empty icon="key" title="You have no custody wallet yet" action={button}>
        It has an account on Solana and one on Ethereum. Your browser asks for a new passkey, which guards it; if you
        lose it, you recover by email.
      </Empty>
      <p className="soft small">
        A wallet whose key no single machine holds is <Link to="/wallets">over here</Link>.
      </p>
      <Problem title="The wallet was not made." error={error} />
    </section>
  )
}

function Custody() {
  const { wallets, status, error, refresh } = useTurnkeyWallet()
  const isKnown = wallets !== undefined
  const failed = status === 'error' ? error : undefined
  return (
    <>
      <WalletsState failed={failed} isKnown={isKnown} isShown={isKnown} retry={refresh.run} />
      {wallets?.length === 0 && <CreateCard />}
      {wallets && wallets.length > 0 && (
        <>
          <AccountsCard wallets={wallets} />
          <SessionCard />
          <PasskeysCard />
          <RecoveryCard />
          <TypedDataCard wallets={wallets} />
          <ActivityCard />
        </>
      )}
    </>
  )
}

export function CustodyPage() {
  const lead = 'A custody service keeps its key. It signs only when you confirm with your passkey.'
  return (
    <Page title="Custody wallet" width="narrow" lead={lead}>
      <NeedsSignIn>
        <Custody />
      </NeedsSignIn>
    </Page>
  )
}
