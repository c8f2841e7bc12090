/** Interface of a place for backups, and its implementation for places reached by HTTP. `stores/` has one file each. */
import { type BackupProvider, KeybayError } from '@keybay/kernel/spec'
import { readBackupHeader } from '@keybay/waas/mpc'
import { frameError } from '../errors/errors.js'

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
  /** Erases the wallet's other copies up to this epoch. Another browser may have stored a newer one. */
  keepOnly(wanted: BackupWanted, id: string): Promise<void>
  /** Erases the wallet's copies of older epochs, never one of an unfinished ceremony. Absent if no copy says its epoch. */
  readonly eraseOlder?: ((wanted: BackupWanted) => Promise<void>) | undefined
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
  remove(copy: StoredCopy): Promise<void>
}

/** Returns the file name, which contains the wallet and the epoch so that the user can find the newest backup. */
export function backupName(envelope: Uint8Array): BackupName {
  const { address, walletId, set } = readBackupHeader(envelope)
  return {
    walletId,
    accountAddress: address,
    epoch: set.epoch,
    fileName: `keybay-${address.slice(0, 8)}-${set.epoch + 1}.keybay`,
  }
}

/** Returns the epoch of a copy; -1 if the copy is unreadable, as after an upload that was cut. */
function getEpoch(copy: Uint8Array): number {
  try {
    return backupName(copy).epoch
  } catch {
    return -1
  }
}

export function cloudStore(drive: CloudDrive): BackupStore {
  return {
    provider: drive.provider,
    account: drive.account,
    put: envelope => drive.upload(backupName(envelope), envelope),
    async read({ walletId }, check) {
      let problem: unknown
      for (const copy of await drive.list(walletId)) {
        try {
          return { id: copy.id, value: await check(await drive.download(copy)) }
        } catch (error) {
          // Skip copies of other wallets or epochs: an abandoned ceremony may have left one.
          problem ??= error
          if (!(error instanceof KeybayError) || !PASSED_OVER.has(error.code)) throw error
        }
      }
      throw problem ?? frameError('frame_backup_missing')
    },
    async keepOnly({ walletId, epoch }, id) {
      const copies = await drive.list(walletId)
      if (!copies.some(copy => copy.id === id)) return
      for (const copy of copies)
        if (copy.id !== id && getEpoch(await drive.download(copy)) <= epoch) await drive.remove(copy)
    },
    async eraseOlder({ walletId, epoch }) {
      for (const copy of await drive.list(walletId)) if (Number(copy.epoch) < epoch) await drive.remove(copy)
    },
  }
}
const PASSED_OVER: ReadonlySet<string> = new Set([
  'frame_backup_wrong',
  'frame_backup_old',
  'frame_backup_other',
  'frame_backup_cut',
  'frame_backup_missing',
  'mpc_backup_malformed',
])
