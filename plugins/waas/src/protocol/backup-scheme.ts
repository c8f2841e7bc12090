/** Which schemes have a backup share. Client, protocol and frame all use these functions. */
import { KeybayError, type ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { backupUnsupported } from './errors.js'
import type { BackupTarget } from './wallet.js'

export function hasBackupShare(scheme: ThresholdSignatureScheme): boolean {
  return scheme !== 'TWO_OF_TWO'
}

/** Returns false for a backup of a scheme that has no share for it. */
export function backupFits(scheme: ThresholdSignatureScheme, backup: BackupTarget | undefined): boolean {
  return !backup || hasBackupShare(scheme)
}

/** @throws KeybayError `backup_unsupported` */
export function assertBackupFits(scheme: ThresholdSignatureScheme, backup: BackupTarget | undefined): void {
  if (!backupFits(scheme, backup)) throw new KeybayError(backupUnsupported)
}
