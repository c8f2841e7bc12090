/** Pages that create or import a wallet. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { useConnect } from '@keybay/react'
import type { CreateWalletOptions, WalletWithBackup } from '@keybay/waas'
import { useCreateWallet, useImportPrivateKey } from '@keybay/waas/react'
import { SigningStatus } from '@keybay/waas/ui'
import { type ReactNode, useRef, useState } from 'react'
import { useSettings } from '../chain/use-loaded.js'
import { Button, Card, Empty, Glyph, type GlyphName, Page, Problem, useChange } from '../design/index.js'
import { navigate } from '../routing/router.js'
import { BackupNote } from './backup-notes.js'
import { NeedsSignIn } from './own-wallet.js'
import { OptionCards, SchemeChoice } from './parts.js'
import { chains, hasBackup, kinds } from './schemes.js'

/** Connects a new wallet like any other, and opens its page. */
export function useNewWallet(): (made: WalletWithBackup) => void {
  const { runAsync } = useConnect('waas')
  return ({ wallet: { accountAddress } }) => {
    runAsync('waas').then(
      () => navigate(`/wallets/${accountAddress}`),
      () => navigate('/wallets'), // the wallets page shows the error
    )
  }
}

/** Keeps one idempotency key per choice until it succeeds: an interrupted attempt resumes and never runs twice. */
function useAttemptKeys() {
  const keys = useRef(new Map<string, string>())
  return {
    keyFor(choice: string): string {
      const key = keys.current.get(choice) ?? crypto.randomUUID()
      keys.current.set(choice, key)
      return key
    },
    forget: () => keys.current.clear(),
  }
}

function getBackup(scheme: ThresholdSignatureScheme) {
  return hasBackup(scheme) ? { backup: { provider: 'external' as const } } : {}
}

/** Creates a wallet and shows it. */
function useCreate() {
  const show = useNewWallet()
  const { keyFor, forget } = useAttemptKeys()
  const action = useCreateWallet()
  const { run, busy, error } = useChange(action, 'Your wallet is made', made => {
    forget()
    show(made)
  })
  const start = (choice: CreateWalletOptions) => run({ ...choice, idempotencyKey: keyFor(JSON.stringify(choice)) })
  return { start, busy, error, status: action.status }
}

interface CreateProps {
  readonly create: ReturnType<typeof useCreate>
  readonly choice: CreateWalletOptions
}

function Create({ create: { start, busy, error, status }, choice }: CreateProps) {
  return (
    <>
      <div className="row">
        <Button
          kind="primary"
          text={busy ? 'Making it …' : 'Create wallet'}
          busy={busy}
          onClick={() => start(choice)}
        />
      </div>
      <SigningStatus state={status} />
      <Problem title="The wallet was not made." error={error} />
    </>
  )
}

/** Choices that most users want: for Solana, with a backup, and a key that can be exported. */
const SIMPLE: CreateWalletOptions = {
  chain: 'SOL',
  scheme: 'TWO_OF_THREE',
  exportable: true,
  backup: { provider: 'dynamic', passkey: true },
}
const WHAT_HAPPENS: readonly { readonly icon: GlyphName; readonly text: string }[] = [
  { icon: 'device', text: 'This browser and the service sign together. Neither can sign alone.' },
  {
    icon: 'shield',
    text: 'The wallet’s own window backs it up with your passkey, or shows you a recovery code. That brings the wallet back if you lose this browser.',
  },
  { icon: 'leave', text: 'You can take its key to another wallet later.' },
]

function SimpleCard() {
  const create = useCreate()
  return (
    <Card title="Your wallet">
      <p>A wallet for Solana, in one step.</p>
      <ul className="stack-tight">
        {WHAT_HAPPENS.map(({ icon, text }) => (
          <li key={text} className="promise promise-check">
            <Glyph name={icon} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <Create create={create} choice={SIMPLE} />
    </Card>
  )
}

function AdvancedCard() {
  const [scheme, chooseScheme] = useState<ThresholdSignatureScheme>('TWO_OF_THREE')
  const [chain, chooseChain] = useState<(typeof chains)[number]['value']>('SOL')
  const [kind, chooseKind] = useState<(typeof kinds)[number]['value']>('exportable')
  const create = useCreate()
  const disabled = create.busy
  const isSolana = chain === 'SOL'
  const exportable = !isSolana || kind === 'exportable'
  return (
    <Card title="Your wallet">
      <OptionCards legend="Chain" options={chains} value={chain} disabled={disabled} choose={chooseChain} />
      <SchemeChoice value={scheme} disabled={disabled} choose={chooseScheme} />
      {isSolana && (
        <OptionCards
          legend="Whether the key is ever whole"
          options={kinds}
          value={kind}
          disabled={disabled}
          choose={chooseKind}
        />
      )}
      <BackupNote scheme={scheme} />
      <Create create={create} choice={{ chain, scheme, exportable, ...getBackup(scheme) }} />
    </Card>
  )
}

const promises: readonly { readonly icon: GlyphName; readonly text: string }[] = [
  {
    icon: 'check',
    text: 'After it is made, no single machine can sign: not this app, not the service, not a thief with one part.',
  },
  {
    icon: 'check',
    text: 'Passwords, recovery codes and private keys are entered in the wallet’s own window, where this app cannot see them.',
  },
  { icon: 'alert', text: 'The service reads each transaction before it signs with you, and can refuse to.' },
  {
    icon: 'alert',
    text: 'New parts do not help once an old part of your device and an old backup were both stolen: then move your money to a new wallet.',
  },
]

/** States what a key split into shares guarantees and what it does not, before the user chooses anything. */
function Promises() {
  return (
    <Card title="What is promised, and what is not">
      <ul className="stack-tight">
        {promises.map(({ icon, text }) => (
          <li key={text} className={`promise promise-${icon}`}>
            <Glyph name={icon} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function NewWalletPage() {
  const [isAdvanced, setAdvanced] = useState(false)
  return (
    <MakingPage title="Create a wallet" lead="No single machine can sign with it: its key is divided as it is made.">
      {isAdvanced ? <AdvancedCard /> : <SimpleCard />}
      <Button
        kind="quiet"
        text={isAdvanced ? 'Show fewer choices' : 'Show all choices'}
        aria-expanded={isAdvanced}
        onClick={() => setAdvanced(!isAdvanced)}
      />
      {isAdvanced && <Promises />}
    </MakingPage>
  )
}

function ImportCard() {
  const [scheme, choose] = useState<ThresholdSignatureScheme>('TWO_OF_THREE')
  const show = useNewWallet()
  const action = useImportPrivateKey()
  const { run, busy, error } = useChange(action, 'Your wallet is imported', show)
  // No idempotency key: a second attempt may be for another private key.
  const start = () => run({ scheme, ...getBackup(scheme) })
  return (
    <Card title="Your key">
      <p>
        You enter the key in the wallet’s own window: as base58, as hexadecimal, or as the list of numbers of a Solana
        key file. The address stays the same.
      </p>
      <p className="soft">
        The key is divided there and never kept whole. Copies that exist elsewhere still work. If there may be copies,
        create a new wallet instead.
      </p>
      <p className="soft">
        Keys of Ethereum and Bitcoin cannot be imported: create an account here, and send to it what the old one has.
      </p>
      <SchemeChoice value={scheme} disabled={busy} choose={choose} />
      <BackupNote scheme={scheme} />
      <div className="row">
        <Button kind="primary" text={busy ? 'Importing …' : 'Enter the key'} busy={busy} onClick={start} />
      </div>
      <SigningStatus state={action.status} />
      <Problem title="The wallet was not imported." error={error} />
    </Card>
  )
}

export function ImportPage() {
  return (
    <MakingPage title="Import a wallet" lead="A key that you have becomes one that no single machine holds.">
      <ImportCard />
    </MakingPage>
  )
}

/** Shows its children if the environment creates embedded wallets, or while that is unknown: then the kit decides. */
function MakingPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const isOff = useSettings().data?.embeddedWallets.enabled === false
  const off = (
    <section className="keybay-card">
      <Empty icon="alert" title="New wallets are turned off">
        You can’t create or import a wallet here right now. Wallets that you already have work as before.
      </Empty>
    </section>
  )
  return (
    <Page title={title} width="narrow" lead={lead}>
      <NeedsSignIn>{isOff ? off : children}</NeedsSignIn>
    </Page>
  )
}
