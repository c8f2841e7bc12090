import type { BackupProvider } from '@keybay/kernel/spec'
import type { RestoreOptions, WaasWallet } from '@keybay/waas'
import { useRestoreBackup, useWalletProgress } from '@keybay/waas/react'
import { type ReactElement, useRef, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Notice } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { OperationSteps } from './operation-steps.js'
import { type Option, OptionCards } from './option-cards.js'
import { OwnWallet } from './own-wallet.js'
import { useNewWallet } from './use-new-wallet.js'
import { WalletPlace } from './wallet-place.js'

type Mode = NonNullable<RestoreOptions['mode']>
const MODES: readonly Option<Mode>[] = [
  {
    value: 'add-device',
    name: 'This is one more device',
    says: <p>Your other devices go on as they are, and your backup stays good.</p>,
  },
  {
    value: 'replace-device',
    name: 'My other device is lost',
    says: (
      <p>
        This browser takes its place. What the lost device keeps can never sign again. You get a new backup, and the old
        one no longer counts.
      </p>
    ),
  },
]
const PROVIDERS: Readonly<Record<BackupProvider, string>> = {
  external: 'A file that I kept',
  googleDrive: 'Google Drive',
  icloud: 'iCloud',
  dynamic: 'This service',
}

function isProvider(value: string): value is BackupProvider {
  return value in PROVIDERS
}

function RestoreCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress } = wallet
  const [mode, chooseMode] = useState<Mode>('add-device')
  const [provider, chooseProvider] = useState<BackupProvider>('external')
  const place = useRef<HTMLDivElement>(null)
  const show = useNewWallet()
  const action = useRestoreBackup()
  const progress = useWalletProgress(accountAddress)
  const restore = useChange(action, 'Your wallet is back', restored => show({ wallet: restored }))
  const start = () => {
    const displayContainer = place.current
    if (displayContainer) restore.run(accountAddress, { displayContainer, mode, backup: { provider } })
  }
  if (wallet.here)
    return (
      <section className="card">
        <Notice kind="good" title="This browser signs for the wallet.">
          <Link to={`/wallets/${accountAddress}`}>To its security page</Link>
        </Notice>
      </section>
    )
  return (
    <section className="card" aria-labelledby="restore">
      <h2 id="restore">Your backup</h2>
      <p>
        In the wallet’s own window you choose the backup, and open it with its password, its recovery code or your
        passkey. Until it is done, nothing has changed.
      </p>
      <OptionCards<Mode>
        legend="What is this browser?"
        options={MODES}
        value={mode}
        disabled={restore.busy}
        choose={chooseMode}
      />
      <div className="field">
        <div className="field-label">
          <label htmlFor="provider">Where is your backup?</label>
        </div>
        <select
          id="provider"
          className="input"
          value={provider}
          disabled={restore.busy}
          onChange={({ target }) => {
            if (isProvider(target.value)) chooseProvider(target.value)
          }}
        >
          {Object.entries(PROVIDERS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="row">
        <button type="button" className="button button-primary" aria-disabled={restore.busy} onClick={start}>
          {restore.busy ? 'Restoring …' : 'Restore the wallet'}
        </button>
      </div>
      <WalletPlace shown={restore.busy} place={place} cancel={action.abort} />
      <OperationSteps progress={progress} state={action.status} />
      <Problem title="The restore did not come to its end." error={restore.error} />
    </section>
  )
}

export function RestorePage({ address }: { readonly address: string }): ReactElement {
  return (
    <Page title="Restore a wallet" width="narrow" lead="Back from your backup, into this browser.">
      <NeedsSignIn>
        <OwnWallet address={address}>{wallet => <RestoreCard wallet={wallet} />}</OwnWallet>
      </NeedsSignIn>
    </Page>
  )
}
