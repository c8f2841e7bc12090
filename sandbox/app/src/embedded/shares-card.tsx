import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas'
import { useRefreshShares, useReshare } from '@keybay/waas/react'
import { SigningStatus } from '@keybay/waas/ui'
import { useState } from 'react'
import { Button, Card, Problem, useChange } from '../design/index.js'
import { BackupNote } from './backup-notes.js'
import { SchemeChoice } from './parts.js'
import { getNextScheme, hasBackup, ownsPrimary, schemes } from './schemes.js'

/** A backup in the user's account is sealed with a passkey where the browser can, as the first one is. */
function getTarget({ backup: { providers } }: WaasWallet, scheme: ThresholdSignatureScheme) {
  const [provider = 'external'] = providers
  return hasBackup(scheme) ? { backup: { provider, ...(provider === 'dynamic' && { passkey: true }) } } : {}
}

function Refresh({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, thresholdSignatureScheme } = wallet
  const action = useRefreshShares()
  const { busy, error, run } = useChange(action, 'New parts are in place')
  const start = () => run(accountAddress, getTarget(wallet, thresholdSignatureScheme))
  return (
    <div className="stack">
      <h3>New parts of the same key</h3>
      <p className="soft small">
        Every part is replaced, and the address stays. A stolen copy of one part is worthless after that.
        {hasBackup(thresholdSignatureScheme) && ' You get a new backup; the old one no longer counts.'}
      </p>
      <div className="row">
        <Button text={busy ? 'Making new parts …' : 'Refresh'} busy={busy} onClick={start} />
      </div>
      <SigningStatus state={action.status} address={accountAddress} />
      <Problem title="The parts were not replaced: the old ones go on." error={error} />
    </div>
  )
}

function Reshare({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, thresholdSignatureScheme: from } = wallet
  const [chosenScheme, choose] = useState<ThresholdSignatureScheme>()
  // The chosen scheme may have become the wallet's current one.
  const to = chosenScheme !== undefined && chosenScheme !== from ? chosenScheme : getNextScheme(from)
  const action = useReshare()
  const { busy, error, run } = useChange(action, 'New key shares are in place')
  const start = () => run(accountAddress, { to, ...getTarget(wallet, to) })
  return (
    <div className="stack">
      <h3>Use another scheme</h3>
      <SchemeChoice value={to} except={from} disabled={busy} choose={choose} />
      <BackupNote scheme={to} provider={wallet.backup.providers[0]} />
      <div className="row">
        <Button
          text={busy ? 'Creating new key shares …' : `Change to ${schemes[to].name}`}
          busy={busy}
          onClick={start}
        />
      </div>
      <SigningStatus state={action.status} address={accountAddress} />
      <Problem title="It was not changed: the old parts go on." error={error} />
    </div>
  )
}

/** Refresh and reshare, with their progress. */
export function SharesCard({ wallet }: { readonly wallet: WaasWallet }) {
  return (
    <Card title="Change the parts">
      {ownsPrimary(wallet) ? (
        <>
          <Refresh wallet={wallet} />
          <hr className="rule" />
          <Reshare wallet={wallet} />
        </>
      ) : (
        <p className="soft">Only the first device can do this: this browser has a set of its own.</p>
      )}
    </Card>
  )
}
