'use client'

/** Views of embedded wallets; they need `@keybay/react/ui.css`. Start with `BackupNudge`. */
import { type LazyView, lazyView } from '@keybay/react/ui'
import type { SecondDeviceProps } from './second-device.js'

export type { BackUpFirstProps } from './back-up-first.js'
export { BackUpNow, type BackUpNowProps } from './back-up-now.js'
export { BackupBadge, type BackupBadgeProps } from './backup-badge.js'
export { BackUpFirst, BackupGate, type BackupGateProps } from './backup-gate.js'
export { BackupNudge, type BackupNudgeProps } from './backup-nudge.js'
export { needsBackup } from './backup-state.js'
export type { SecondDeviceProps } from './second-device.js'
export { SigningStatus, type SigningStatusProps } from './signing-status.js'
export type { WalletLink, WalletSlots } from './slots.js'

/**
 * In a browser without a share of the wallet: offers the ways to use the wallet here too.
 *
 * @example {!wallet.here && <SecondDevice wallet={wallet} />}
 */
export const SecondDevice: LazyView<SecondDeviceProps> = lazyView(
  async () => (await import('./second-device.js')).SecondDeviceView,
)
