import type { BackupProvider } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas'
import { useWalletBackup, useWalletProgress } from '@keybay/waas/react'
import { type ReactElement, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Notice } from '../design/feedback.js'
import { backupProviders, providerName } from './backup-providers.js'
import { OperationSteps } from './operation-steps.js'
import { OptionCards } from './option-cards.js'

/** Shows where the backup is stored and whether it is valid, and lets the user change it. */
export function BackupCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, backup: status, sets } = wallet
  const [provider, choose] = useState<BackupProvider>(status.providers[0] ?? 'googleDrive')
  const [byPasskey, setByPasskey] = useState(false)
  const { hasBackupPart, backup, verify } = useWalletBackup(accountAddress)
  const progress = useWalletProgress(accountAddress)
  const backUp = useChange(backup, 'The backup is there, and it opens')
  const check = useChange(verify, 'The backup is good')
  const busy = backUp.busy || check.busy
  const name = providerName(provider)
  const ownsPrimary = sets.some(({ kind, here }) => kind === 'primary' && here)
  /** The provider that accepts only a recovery code or a passkey to encrypt the backup. */
  const isHere = provider === 'dynamic'
  const target = { backup: { provider, ...(isHere && byPasskey && { passkey: true }) } }
  return (
    <section className="card" aria-labelledby="backup">
      <h2 id="backup">Back up, and verify</h2>
      <OptionCards<BackupProvider>
        legend="Where the backup is"
        options={backupProviders}
        value={provider}
        disabled={busy}
        choose={choose}
      />
      {isHere && (
        <div className="stack-tight">
          <label className="row small">
            <input
              type="checkbox"
              checked={byPasskey}
              disabled={busy}
              aria-describedby="by-passkey"
              onChange={({ target: { checked } }) => setByPasskey(checked)}
            />
            Use a passkey in place of a recovery code
          </label>
          <p id="by-passkey" className="soft small">
            There is nothing to write down: it opens in the wallet’s window, wherever that passkey is. On a device that
            cannot do it you get a code.
          </p>
        </div>
      )}
      {hasBackupPart === false && (
        <Notice kind="warn" title="The key is divided anew first.">
          Into three parts: this device, the service, and a backup. Any two of them sign. The address stays.
        </Notice>
      )}
      <div className="row">
        {ownsPrimary && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={busy}
            onClick={() => !busy && backUp.run({ ...target, reshare: hasBackupPart === false })}
          >
            {backUp.busy ? 'Backing up …' : `Back up to ${name}`}
          </button>
        )}
        {hasBackupPart !== false && (
          <button type="button" className="button" aria-disabled={busy} onClick={() => !busy && check.run(target)}>
            {check.busy ? 'Verifying …' : 'Verify my backup'}
          </button>
        )}
      </div>
      {!ownsPrimary && (
        <p className="soft small">This browser has a set of its own; the first device makes the backup.</p>
      )}
      <OperationSteps progress={progress} state={backup.status} />
      <Problem title="It was not backed up. Nothing was changed." error={backUp.error} />
      <Problem title="The backup could not be verified." error={check.error} />
    </section>
  )
}
