/** Interface of a place for backups. `drives/` has the places that are reached by HTTP. */
import type { BackupProvider } from '@keybay/kernel/spec'
import { codecs, encode, readBackupHeader } from '@keybay/waas/mpc'

export interface ReadBack<T> {
  readonly id: string
  readonly value: T
}
/** Account at a provider that owns a drive. */
export interface BackupAccount {
  /** The provider's own identifier, which never changes. */
  readonly id: string
  /** Name for the user: an email address, or the account owner's name. */
  readonly name: string
  readonly email?: string | undefined
}
export interface BackupStore {
  readonly provider: BackupProvider
  /** Returns the account that gets the backup. Absent for places without accounts of their own. */
  readonly account?: (() => Promise<BackupAccount>) | undefined
  put(envelope: Uint8Array): Promise<void>
  /**
   * Reads copies back, newest first, until one passes the check.
   * @param wanted the backup to look for
   * @param check throws for a wrong copy
   * @throws KeybayError `frame_backup_missing`, or the error of `check` for the newest copy
   */
  read<T>(wanted: BackupWanted, check: (copy: Uint8Array) => Promise<T>): Promise<ReadBack<T>>
  /** Erases the wallet's copies that this one replaces. Another browser may have stored one that it does not replace. */
  keepOnly(kept: KeptCopy): Promise<void>
  /** Erases the wallet's copies of older epochs, never one of an unfinished ceremony. Absent if no copy says its epoch. */
  readonly eraseOlder?: ((wanted: Omit<BackupWanted, 'set'>) => Promise<void>) | undefined
}

export interface StoredCopy {
  readonly id: string
  /** Absent or NaN if the provider does not say it. */
  readonly epoch?: number | undefined
  /** URL of the content, if `id` is not enough. */
  readonly url?: string | undefined
}
/** Identifies the current backup, according to the relay's record. */
export interface BackupWanted {
  readonly walletId: string
  readonly epoch: number
  /** Share set, as bytes. Two browsers can make different shares of one epoch, of which R1 commits one. */
  readonly set: Uint8Array
}
/** Copy that was read back and checked. */
export interface KeptCopy extends BackupWanted {
  readonly id: string
}
/** Public header of an envelope, by which a provider finds it. */
export interface BackupName extends BackupWanted {
  readonly accountAddress: string
  readonly fileName: string
}
/** API of one provider. Each call follows the provider's documentation. */
export interface CloudDrive {
  readonly provider: BackupProvider
  readonly account?: (() => Promise<BackupAccount>) | undefined
  upload(name: BackupName, envelope: Uint8Array): Promise<void>
  /** Lists copies, newest first. */
  list(walletId: string): Promise<readonly StoredCopy[]>
  download(copy: StoredCopy): Promise<Uint8Array>
  /** Erases a copy. */
  remove(copy: StoredCopy): Promise<void>
  /** Erased copies that the provider still has, newest first. Absent if it keeps none. */
  readonly erased?: { list(walletId: string): Promise<readonly StoredCopy[]>; restore(copy: StoredCopy): Promise<void> }
}

/** Returns the file name, which contains the wallet and the epoch so that the user can find the newest backup. */
export function backupName(envelope: Uint8Array): BackupName {
  const { address, walletId, set } = readBackupHeader(envelope)
  return {
    walletId,
    accountAddress: address,
    epoch: set.epoch,
    set: encode(codecs.shareSet, set),
    fileName: `keybay-${address.slice(0, 8)}-${set.epoch + 1}.keybay`,
  }
}
