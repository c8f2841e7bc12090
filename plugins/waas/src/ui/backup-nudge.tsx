import { lazyView } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import type { WaasWallet } from '../protocol/wallet.js'
import { needsBackup, needsVerification } from './backup-state.js'
import type { WalletSlots } from './slots.js'

export interface BackupNudgeProps {
  readonly wallet: WaasWallet
  readonly slots?: WalletSlots | undefined
}

const View = lazyView<BackupNudgeProps>(async () => (await import('./backup-nudge-view.js')).BackupNudgeView)

/**
 * Offers a backup when the wallet has none and this browser can make it, or the check of a backup that this browser has not
 * seen. Otherwise it renders nothing. Needs `@keybay/react/ui.css`.
 *
 * @example
 * const { wallets } = useEmbeddedWallets()
 * return wallets?.map(wallet => <BackupNudge key={wallet.walletId} wallet={wallet} />)
 */
export function BackupNudge(props: BackupNudgeProps): ReactElement | null {
  return needsBackup(props.wallet) || needsVerification(props.wallet) ? <View {...props} /> : null
}
