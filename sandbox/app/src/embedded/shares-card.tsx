import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas'
import { useRefreshShares, useReshare, useWalletProgress } from '@keybay/waas/react'
import { type ReactElement, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { BackupNote } from './backup-note.js'
import { OperationSteps } from './operation-steps.js'
import { SchemeChoice } from './scheme-choice.js'
import { hasBackup, schemeNames, schemes } from './schemes.js'

/** Returns the backup's current provider as the target of the new backup. */
function getTarget({ backup: { providers } }: WaasWallet, scheme: ThresholdSignatureScheme) {
  return hasBackup(scheme) ? { backup: { provider: providers[0] ?? ('external' as const) } } : {}
}

function Refresh({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, thresholdSignatureScheme } = wallet
  const action = useRefreshShares()
  const progress = useWalletProgress(accountAddress)
  const refresh = useChange(action, 'New parts are in place')
  return (
    <div className="stack">
      <h3>New parts of the same key</h3>
      <p className="soft small">
        Every part is replaced, and the address stays. What somebody may have copied of one part is worthless after
        that.
        {hasBackup(thresholdSignatureScheme) && ' You get a new backup; the old one no longer counts.'}
      </p>
      <div className="row">
        <button
          type="button"
          className="button"
          aria-disabled={refresh.busy}
          onClick={() => refresh.run(accountAddress, getTarget(wallet, thresholdSignatureScheme))}
        >
          {refresh.busy ? 'Making new parts …' : 'Refresh'}
        </button>
      </div>
      <OperationSteps progress={progress} state={action.status} />
      <Problem title="The parts were not replaced: the old ones go on." error={refresh.error} />
    </div>
  )
}

function Reshare({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, thresholdSignatureScheme: from } = wallet
  const [wanted, choose] = useState<ThresholdSignatureScheme>()
  // The chosen scheme may have become the wallet's current one.
  const to = wanted !== undefined && wanted !== from ? wanted : schemeNames.find(scheme => scheme !== from)
  const action = useReshare()
  const progress = useWalletProgress(accountAddress)
  const reshare = useChange(action, 'The key is divided anew')
  return (
    <div className="stack">
      <h3>Divide it another way</h3>
      {to !== undefined && (
        <>
          <SchemeChoice value={to} except={from} disabled={reshare.busy} choose={choose} />
          <BackupNote scheme={to} provider={wallet.backup.providers[0]} />
          <div className="row">
            <button
              type="button"
              className="button"
              aria-disabled={reshare.busy}
              onClick={() => reshare.run(accountAddress, { to, ...getTarget(wallet, to) })}
            >
              {reshare.busy ? 'Dividing it anew …' : `Change to ${schemes[to].name}`}
            </button>
          </div>
        </>
      )}
      <OperationSteps progress={progress} state={action.status} />
      <Problem title="It was not changed: the old parts go on." error={reshare.error} />
    </div>
  )
}

/** Refresh and reshare, with their progress. */
export function SharesCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const ownsPrimary = wallet.sets.some(({ kind, here }) => kind === 'primary' && here)
  return (
    <section className="card" aria-labelledby="shares">
      <h2 id="shares">Change the parts</h2>
      {ownsPrimary ? (
        <>
          <Refresh wallet={wallet} />
          <hr className="rule" />
          <Reshare wallet={wallet} />
        </>
      ) : (
        <p className="soft">Only the first device can do this: this browser has a set of its own.</p>
      )}
    </section>
  )
}
