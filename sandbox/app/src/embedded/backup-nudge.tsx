import type { WaasWallet } from '@keybay/waas'
import type { ReactElement } from 'react'
import { Notice } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { hasBackup } from './schemes.js'

/** Points to the backup page when something is missing and this browser can fix it; otherwise renders nothing. */
export function BackupNudge({ wallet }: { readonly wallet: WaasWallet }): ReactElement | null {
  const { accountAddress, thresholdSignatureScheme, here, backup, sets } = wallet
  const ownsPrimary = sets.some(({ kind, here }) => kind === 'primary' && here)
  if (!here || backup.state === 'current') return null
  if (!ownsPrimary)
    return backup.state === 'unverified' ? (
      <Notice kind="warn" title="Nobody has looked at this wallet’s backup from here.">
        <span>Another device may have made one. Verify it once, before you need it.</span>
        <Link to={`/wallets/${accountAddress}/backup`} className="button button-small">
          Verify it now
        </Link>
      </Notice>
    ) : null
  const title = backup.state === 'stale' ? 'The backup is out of date.' : 'This wallet has no backup.'
  return (
    <Notice kind="warn" title={title}>
      <span>
        {hasBackup(thresholdSignatureScheme)
          ? 'If this browser forgets its part, only a backup brings the wallet back.'
          : 'It has two parts; if this browser forgets its own, the wallet is lost.'}
      </span>
      <Link to={`/wallets/${accountAddress}/backup`} className="button button-small">
        Back up now
      </Link>
    </Notice>
  )
}
