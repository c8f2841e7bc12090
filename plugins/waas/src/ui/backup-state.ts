import type { WaasWallet } from '../protocol/wallet.js'

/** Returns false for the one scheme without a share for a backup. */
export function hasBackupShare({ thresholdSignatureScheme }: WaasWallet): boolean {
  return thresholdSignatureScheme !== 'TWO_OF_TWO'
}

/**
 * Returns true if the wallet has no current backup, and this browser can make it.
 *
 * @example wallets.filter(needsBackup).map(({ accountAddress }) => <BackUpNow key={accountAddress} address={accountAddress} />)
 */
export function needsBackup({ here, backup, sets }: WaasWallet): boolean {
  // Only the first share set can make the backup.
  return here && backup.state !== 'current' && sets.some(set => set.kind === 'primary' && set.here)
}

/** Returns true if another browser may have made a backup, which this one has not verified. */
export function needsVerification({ here, backup }: WaasWallet): boolean {
  return here && backup.state === 'unverified'
}
