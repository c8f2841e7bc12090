import type { BackupProvider } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas'
import { useRestoreBackup } from '@keybay/waas/react'
import { SigningStatus } from '@keybay/waas/ui'
import { useRef, useState } from 'react'
import { Button, Card, Notice, Page, Problem, SelectField, useChange } from '../design/index.js'
import { Link } from '../routing/link.js'
import { useNewWallet } from './new-wallet-page.js'
import { NeedsSignIn, OwnWallet } from './own-wallet.js'
import { OptionCards } from './parts.js'

const MODES = [
  {
    value: 'add-device',
    name: 'This is one more device',
    says: 'Your other devices go on as they are, and your backup stays good.',
  },
  {
    value: 'replace-device',
    name: 'My other device is lost',
    says: 'This browser takes its place. What the lost device keeps can never sign again. You get a new backup, and the old one no longer counts.',
  },
] as const
const PROVIDERS: readonly { readonly value: BackupProvider; readonly name: string }[] = [
  { value: 'dynamic', name: 'In my account, under a passkey or a recovery code' },
  { value: 'external', name: 'A file that I kept' },
  { value: 'googleDrive', name: 'Google Drive' },
  { value: 'icloud', name: 'iCloud' },
]

function RestoreCard({ wallet: { accountAddress } }: { readonly wallet: WaasWallet }) {
  const [mode, chooseMode] = useState<(typeof MODES)[number]['value']>('add-device')
  const [provider, chooseProvider] = useState<BackupProvider>('dynamic')
  const place = useRef<HTMLDialogElement>(null)
  const show = useNewWallet()
  const action = useRestoreBackup()
  const { busy, error, run } = useChange(action, 'Your wallet is back', restored => show({ wallet: restored }))
  const start = () => {
    const displayContainer = place.current
    if (displayContainer) run(accountAddress, { displayContainer, mode, backup: { provider } })
  }
  return (
    <Card title="Your backup">
      <p>
        In the wallet’s own window you choose the backup, and open it with its password, its recovery code or your
        passkey. Until it is done, nothing has changed.
      </p>
      <OptionCards legend="What is this browser?" options={MODES} value={mode} disabled={busy} choose={chooseMode} />
      <SelectField
        label="Where is your backup?"
        value={provider}
        options={PROVIDERS}
        disabled={busy}
        change={chooseProvider}
      />
      <div className="row">
        <Button kind="primary" text={busy ? 'Restoring …' : 'Restore the wallet'} busy={busy} onClick={start} />
      </div>
      <dialog ref={place} />
      <SigningStatus state={action.status} address={accountAddress} />
      <Problem title="The wallet was not restored." error={error} />
    </Card>
  )
}

function Restored({ wallet }: { readonly wallet: WaasWallet }) {
  return (
    <section className="keybay-card">
      <Notice kind="good" title="This browser signs for the wallet.">
        <Link to={`/wallets/${wallet.accountAddress}`}>To its security page</Link>
      </Notice>
    </section>
  )
}

export function RestorePage({ address }: { readonly address: string }) {
  return (
    <Page title="Restore a wallet" width="narrow" lead="Back from your backup, into this browser.">
      <NeedsSignIn>
        <OwnWallet address={address}>
          {wallet => (wallet.here ? <Restored wallet={wallet} /> : <RestoreCard wallet={wallet} />)}
        </OwnWallet>
      </NeedsSignIn>
    </Page>
  )
}
