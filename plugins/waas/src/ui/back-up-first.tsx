import { backupMessages, Empty, useMessages, useRoot } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { BackUpNow } from './back-up-now.js'
import type { BackupNudgeProps } from './backup-nudge.js'
import { needsBackup } from './backup-state.js'

export interface BackUpFirstProps extends BackupNudgeProps {
  /** Most that the wallet may hold without a backup. */
  readonly limit: string
}

/** Stands in the place of the address. */
export function BackUpFirst({ wallet, limit, slots }: BackUpFirstProps): ReactElement {
  const { text, rich } = useMessages(backupMessages)
  const root = useRoot()
  const { accountAddress: address } = wallet
  const canBackUp = needsBackup(wallet)
  const action = canBackUp && (
    <BackUpNow address={address}>{slots?.link?.({ to: 'backup', text: text('otherWays'), address })}</BackUpNow>
  )
  return (
    <div {...root}>
      <Empty icon="shield" title={text('first')} action={action}>
        {rich('holdsMore', { limit })} {text(canBackUp ? 'showsAfter' : 'backUpThere')}
      </Empty>
    </div>
  )
}
