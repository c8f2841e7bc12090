import type { WaasWallet } from '@keybay/waas'
import type { ReactElement } from 'react'
import { Link } from '../routing/link.js'
import { hasBackup } from './schemes.js'

/** Links to recovering the wallet and exporting its key; each has its own page. */
export function RecoveryCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement | null {
  const { accountAddress, thresholdSignatureScheme, here } = wallet
  const canRestore = hasBackup(thresholdSignatureScheme)
  if (!canRestore && !here) return null
  return (
    <section className="card" aria-labelledby="recovery">
      <h2 id="recovery">{here ? 'If something is lost' : 'Have you lost the other device?'}</h2>
      {here && (
        <div className="row row-apart">
          <p className="soft small">See how each part is, back up to a drive or a file, and verify what is there.</p>
          <Link to={`/wallets/${accountAddress}/backup`} className="button button-small">
            Backup
          </Link>
        </div>
      )}
      {here && canRestore && (
        <div className="row row-apart">
          <p className="soft small">A way back that was never tried is a hope. Try yours, without any risk.</p>
          <Link to={`/wallets/${accountAddress}/drill`} className="button button-small">
            Test my recovery
          </Link>
        </div>
      )}
      {!here && (
        <div className="row row-apart">
          <p className="soft small">Your backup brings the wallet into this browser.</p>
          <Link to={`/wallets/${accountAddress}/restore`} className="button button-small">
            Restore from a backup
          </Link>
        </div>
      )}
      {here && (
        <div className="row row-apart">
          <p className="soft small">Take the key to another wallet, or keep a copy for the day without this service.</p>
          <Link to={`/wallets/${accountAddress}/export`} className="button button-small">
            Export
          </Link>
        </div>
      )}
    </section>
  )
}
