import { backupMessages, Notice, useMessages, useRoot } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import type { WaasWallet } from '../protocol/wallet.js'
import { BackUpNow } from './back-up-now.js'
import type { BackupNudgeProps } from './backup-nudge.js'
import { hasBackupShare, needsBackup } from './backup-state.js'

/** Returns the keys of what is missing, and of why it matters. */
function getNudge(wallet: WaasWallet) {
  if (!needsBackup(wallet)) return { title: 'unverified', says: 'unverifiedText' } as const
  return {
    title: wallet.backup.state === 'stale' ? 'stale' : 'none',
    says: hasBackupShare(wallet) ? 'onlyBackup' : 'twoParts',
  } as const
}

export function BackupNudgeView({ wallet, slots }: BackupNudgeProps): ReactElement {
  const { text } = useMessages(backupMessages)
  const root = useRoot()
  const { title, says } = getNudge(wallet)
  const { accountAddress: address } = wallet
  return (
    <div {...root}>
      <Notice kind="warn" title={text(title)}>
        <span>{text(says)}</span>
        {needsBackup(wallet) ? (
          <BackUpNow address={address}>{slots?.link?.({ to: 'backup', text: text('otherWays'), address })}</BackUpNow>
        ) : (
          slots?.link?.({ to: 'verify', text: text('verify'), address })
        )}
      </Notice>
    </div>
  )
}
