import { backupMessages, useMessages, useRoot } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import type { BackupBadgeProps } from './backup-badge.js'

const TEXTS = { none: 'badgeNone', stale: 'badgeStale', unverified: 'badgeUnverified' } as const

export function BackupBadgeView({ wallet }: BackupBadgeProps): ReactElement | null {
  const { text } = useMessages(backupMessages)
  const root = useRoot('keybay-tag keybay-tag-bad')
  const { state } = wallet.backup
  return state === 'current' ? null : <span {...root}>{text(TEXTS[state])}</span>
}
