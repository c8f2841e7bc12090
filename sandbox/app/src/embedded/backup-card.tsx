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

/** Where the backup goes, and whether what is there is good. */
export function BackupCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, backup: status, sets } = wallet
  const [provider, choose] = useState<BackupProvider>(status.providers[0] ?? 'googleDrive')
  const { hasBackupPart, backup, verify } = useWalletBackup(accountAddress)
  const progress = useWalletProgress(accountAddress)
  const backUp = useChange(backup, 'The backup is there, and it opens')
  const check = useChange(verify, 'The backup is good')
  const busy = backUp.busy || check.busy
  const name = providerName(provider)
  const ownsPrimary = sets.some(({ kind, here }) => kind === 'primary' && here)
  const target = { backup: { provider } }
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
