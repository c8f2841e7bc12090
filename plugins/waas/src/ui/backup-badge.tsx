import { lazyView } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import type { WaasWallet } from '../protocol/wallet.js'

export interface BackupBadgeProps {
  readonly wallet: WaasWallet
}

const View = lazyView<BackupBadgeProps>(async () => (await import('./backup-badge-view.js')).BackupBadgeView)

/**
 * A tag beside the name or address of a wallet that this browser could lose, because it has no current backup. Otherwise it
 * renders nothing. Needs `@keybay/react/ui.css`.
 *
 * @example {shorten(wallet.accountAddress)} <BackupBadge wallet={wallet} />
 */
export function BackupBadge({ wallet }: BackupBadgeProps): ReactElement | null {
  return wallet.here && wallet.backup.state !== 'current' ? <View wallet={wallet} /> : null
}
