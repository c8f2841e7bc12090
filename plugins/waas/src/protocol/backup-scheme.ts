/** Which schemes have a backup share. Client, protocol and frame all use these functions. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { backupUnsupported } from './errors.js'
import { fault } from './fault.js'
import type { BackupTarget } from './wallet.js'

export const hasBackupShare = (scheme: ThresholdSignatureScheme): boolean => scheme !== 'TWO_OF_TWO'

/** A request for a backup fits every scheme that has a share for it; no request fits each. */
export const backupFits = (scheme: ThresholdSignatureScheme, backup: BackupTarget | undefined): boolean =>
  !backup || hasBackupShare(scheme)

/** @throws KeybayError `backup_unsupported` */
export const assertBackupFits = (scheme: ThresholdSignatureScheme, backup: BackupTarget | undefined): void => {
  if (!backupFits(scheme, backup)) throw fault(backupUnsupported)
}
