import type { WaasWallet } from '@keybay/waas'
import { useWalletExport } from '@keybay/waas/react'
import { type ReactElement, useRef } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { frameUrl } from '../config.js'
import { Notice } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { OwnWallet } from './own-wallet.js'
import { hasBackup } from './schemes.js'
import { WalletPlace } from './wallet-place.js'

/** The file is already encrypted, so it needs no special handling. */
function download(name: string, keyShares: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify({ keyShares })], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address))
}

function KeyCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, exportable, exported } = wallet
  const place = useRef<HTMLDivElement>(null)
  const { exportKey } = useWalletExport()
  const show = useChange(exportKey, undefined)
  const start = () => {
    const displayContainer = place.current
    if (displayContainer) show.run(accountAddress, { displayContainer })
  }
  return (
    <section className="card" aria-labelledby="whole-key">
      <div className="card-head">
        <h2 id="whole-key">The whole key</h2>
        {exported && <span className="tag tag-bad">Exported</span>}
      </div>
      <p>
        The wallet’s own window shows it to you, for a minute; this page never has it. Whoever sees it can take
        everything, and from then on the rules of this wallet bind this service alone.
      </p>
      {!exportable && (
        <Notice kind="warn" title="Other wallets cannot import this key.">
          It never was whole, and has no seed. It is good for sending everything away with the recovery tool.
        </Notice>
      )}
      <div className="row">
        <button type="button" className="button button-danger" aria-disabled={show.busy} onClick={start}>
          {show.busy ? 'In the wallet’s window …' : 'Show my key'}
        </button>
      </div>
      <WalletPlace shown={show.busy} place={place} cancel={exportKey.abort} />
      <Problem title="The key was not shown." error={show.error} />
    </section>
  )
}

function PartCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress } = wallet
  const { exportShares } = useWalletExport()
  const copy = useChange(exportShares, 'The copy is downloaded', keyShares =>
    download(`keybay-${accountAddress.slice(0, 8)}-device.json`, keyShares),
  )
  return (
    <section className="card" aria-labelledby="own-part">
      <h2 id="own-part">For the day without this service</h2>
      <p>
        A copy of this browser’s part, encrypted. Together with your backup it makes the key, with no service alive: by{' '}
        <code>npx @keybay/waas recover</code>, or on <a href={`${frameUrl}/recover`}>a page that works offline</a>. Keep
        the two apart.
      </p>
      <div className="row">
        <button type="button" className="button" aria-disabled={copy.busy} onClick={() => copy.run(accountAddress)}>
          {copy.busy ? 'Copying …' : 'Copy this browser’s part'}
        </button>
      </div>
      <Problem title="No copy was made." error={copy.error} />
    </section>
  )
}

/** The service revoked this browser's share: it no longer signs, but with the backup it still recovers the wallet. */
function keepsPrimaryShare({ sets, thresholdSignatureScheme }: WaasWallet): boolean {
  return hasBackup(thresholdSignatureScheme) && sets.some(({ kind, kept }) => kind === 'primary' && kept)
}

export function ExportPage({ address }: { readonly address: string }): ReactElement {
  return (
    <Page
      title="Export"
      width="narrow"
      lead={
        <>
          The key is yours to take along. <Link to={`/wallets/${address}`}>Back to the wallet</Link>
        </>
      }
    >
      <NeedsSignIn>
        <OwnWallet address={address}>
          {wallet =>
            wallet.here ? (
              <>
                <KeyCard wallet={wallet} />
                {hasBackup(wallet.thresholdSignatureScheme) && <PartCard wallet={wallet} />}
              </>
            ) : keepsPrimaryShare(wallet) ? (
              <PartCard wallet={wallet} />
            ) : (
              <section className="card">
                <Notice kind="warn" title="This browser holds no part of the key.">
                  <Link to={`/wallets/${address}/restore`}>Restore the wallet here first</Link>
                </Notice>
              </section>
            )
          }
        </OwnWallet>
      </NeedsSignIn>
    </Page>
  )
}
