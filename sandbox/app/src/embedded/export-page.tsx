import type { WaasWallet } from '@keybay/waas'
import { useWalletExport } from '@keybay/waas/react'
import { useRef } from 'react'
import { frameUrl } from '../config.js'
import { Button, Card, download, Notice, Problem, useChange } from '../design/index.js'
import { Link } from '../routing/link.js'
import { WalletPage } from './own-wallet.js'
import { hasBackup } from './schemes.js'

function KeyCard({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, exportable, exported } = wallet
  const place = useRef<HTMLDialogElement>(null)
  const { exportKey } = useWalletExport()
  const { busy, error, run } = useChange(exportKey, undefined)
  const start = () => {
    const displayContainer = place.current
    if (displayContainer) run(accountAddress, { displayContainer })
  }
  return (
    <Card title="The whole key" side={exported && <span className="keybay-tag keybay-tag-bad">Exported</span>}>
      <p>
        The wallet’s own window shows it to you, for a minute; this page never has it. The key alone is enough to take
        everything, and from then on the rules of this wallet bind this service alone.
      </p>
      {!exportable && (
        <Notice kind="warn" title="Other wallets cannot import this key.">
          It never was whole, and has no seed. It is good for sending everything away with the recovery tool.
        </Notice>
      )}
      <div className="row">
        <Button kind="danger" text={busy ? 'In the wallet’s window …' : 'Show my key'} busy={busy} onClick={start} />
      </div>
      <dialog ref={place} />
      <Problem title="The key was not shown." error={error} />
    </Card>
  )
}

function PartCard({ wallet: { accountAddress } }: { readonly wallet: WaasWallet }) {
  const { exportShares } = useWalletExport()
  // The shares are already encrypted, so the file needs no special handling.
  const { busy, error, run } = useChange(exportShares, 'The copy is downloaded', keyShares =>
    download(`keybay-${accountAddress.slice(0, 8)}-device.json`, 'application/json', JSON.stringify({ keyShares })),
  )
  return (
    <Card title="For the day without this service">
      <p>
        A copy of this browser’s part, encrypted. Together with your backup it makes the key, with no service alive: by{' '}
        <code>npx @keybay/waas recover</code>, or on <a href={`${frameUrl}/recover`}>a page that works offline</a>. Keep
        the two apart.
      </p>
      <div className="row">
        <Button
          text={busy ? 'Copying …' : 'Copy this browser’s part'}
          busy={busy}
          onClick={() => run(accountAddress)}
        />
      </div>
      <Problem title="No copy was made." error={error} />
    </Card>
  )
}

/** The service revoked this browser's share: it no longer signs, but with the backup it still recovers the wallet. */
function keepsPrimaryShare({ sets, thresholdSignatureScheme }: WaasWallet): boolean {
  return hasBackup(thresholdSignatureScheme) && sets.some(({ kind, kept }) => kind === 'primary' && kept)
}

export function ExportPage({ address }: { readonly address: string }) {
  return (
    <WalletPage title="Export" address={address} lead="The key is yours to take along.">
      {wallet => {
        const canCopy = wallet.here ? hasBackup(wallet.thresholdSignatureScheme) : keepsPrimaryShare(wallet)
        return (
          <>
            {wallet.here && <KeyCard wallet={wallet} />}
            {canCopy && <PartCard wallet={wallet} />}
            {!wallet.here && !canCopy && (
              <section className="keybay-card">
                <Notice kind="warn" title="This browser holds no part of the key.">
                  <Link to={`/wallets/${address}/restore`}>Restore the wallet here first</Link>
                </Notice>
              </section>
            )}
          </>
        )
      }}
    </WalletPage>
  )
}
