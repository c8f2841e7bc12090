import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { useImportPrivateKey, useWalletProgress } from '@keybay/waas/react'
import { type ReactElement, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Page } from '../shell/page.js'
import { BackupNote } from './backup-note.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { OffersWallets } from './offers-wallets.js'
import { OperationSteps } from './operation-steps.js'
import { SchemeChoice } from './scheme-choice.js'
import { hasBackup } from './schemes.js'
import { useNewWallet } from './use-new-wallet.js'

function ImportCard(): ReactElement {
  const [scheme, choose] = useState<ThresholdSignatureScheme>('TWO_OF_THREE')
  const show = useNewWallet()
  const action = useImportPrivateKey()
  const progress = useWalletProgress()
  const enter = useChange(action, 'Your wallet is imported', show)
  // No idempotency key: a second attempt may be for another private key.
  const start = () => enter.run({ scheme, ...(hasBackup(scheme) && { backup: { provider: 'external' } }) })
  return (
    <section className="card" aria-labelledby="import">
      <h2 id="import">Your key</h2>
      <p>
        You enter the key in the wallet’s own window: as base58, as hexadecimal, or as the list of numbers of a Solana
        key file. The address stays the same.
      </p>
      <p className="soft">
        It is divided there and never kept whole. Copies that exist elsewhere still work: only a wallet that is made
        here is known to nobody else.
      </p>
      <p className="soft">
        Keys of Ethereum and Bitcoin cannot be imported: create an account here, and send to it what the old one has.
      </p>
      <SchemeChoice value={scheme} disabled={enter.busy} choose={choose} />
      <BackupNote scheme={scheme} />
      <div className="row">
        <button type="button" className="button button-primary" aria-disabled={enter.busy} onClick={start}>
          {enter.busy ? 'Importing …' : 'Enter the key'}
        </button>
      </div>
      <OperationSteps progress={progress} state={action.status} />
      <Problem title="The wallet was not imported." error={enter.error} />
    </section>
  )
}

export function ImportPage(): ReactElement {
  return (
    <Page title="Import a wallet" width="narrow" lead="A key that you have becomes one that no single machine holds.">
      <NeedsSignIn>
        <OffersWallets>
          <ImportCard />
        </OffersWallets>
      </NeedsSignIn>
    </Page>
  )
}
