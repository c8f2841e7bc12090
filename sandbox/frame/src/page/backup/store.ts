/** A place for backups: what each of them does, and the way of those that are reached by HTTP. A file for each is in `stores/`. */
import { type BackupProvider, KeybayError } from '@keybay/kernel/spec'
import { readBackupHeader } from '@keybay/waas/mpc'
import { backupMissing } from '../errors/errors.js'

/** A copy that was read, and what the check made of it. */
export interface ReadBack<T> {
  /** Id of the copy at its provider. */
  readonly id: string
  readonly value: T
}
export interface BackupStore {
  readonly provider: BackupProvider
  /** Resolves when the provider says that it has the envelope. */
  put(envelope: Uint8Array): Promise<void>
  /**
   * Reads copies back, the newest first, until one passes.
   *
   * @param wanted what is looked for
   * @param check throws for a copy that is not the one
   * @throws KeybayError `frame_backup_missing`, else what `check` said of the newest copy
   */
  read<T>(wanted: BackupWanted, check: (copy: Uint8Array) => Promise<T>): Promise<ReadBack<T>>
  /** Erases the wallet's other copies. Call it once nothing depends on them any more. */
  keepOnly(wanted: BackupWanted, id: string): Promise<void>
}

export interface StoredCopy {
  readonly id: string
  /** Address of its bytes, if `id` is not enough. */
  readonly url?: string | undefined
}
/** Which backup is the good one, by the relay's record. */
export interface BackupWanted {
  readonly walletId: string
  readonly epoch: number
}
/** The public header of an envelope, by which a provider finds it. */
export interface BackupName extends BackupWanted {
  readonly accountAddress: string
  /** File name in the user's drive. */
  readonly fileName: string
}
/** One provider's API. Each call is one that its documentation has. */
export interface CloudDrive {
  readonly provider: BackupProvider
  upload(name: BackupName, envelope: Uint8Array): Promise<void>
  /** The newest first. */
  list(walletId: string): Promise<readonly StoredCopy[]>
  download(copy: StoredCopy): Promise<Uint8Array>
  remove(copy: StoredCopy): Promise<void>
}

/** The name says which wallet and epoch, so that a user finds the newest one. */
export function backupName(envelope: Uint8Array): BackupName {
  const { address, walletId, set } = readBackupHeader(envelope)
  return {
    walletId,
    accountAddress: address,
    epoch: set.epoch,
    fileName: `keybay-${address.slice(0, 8)}-${set.epoch + 1}.keybay`,
  }
}

export function cloudStore(drive: CloudDrive): BackupStore {
  return {
    provider: drive.provider,
    put: envelope => drive.upload(backupName(envelope), envelope),
    async read({ walletId }, check) {
      let problem: unknown
      for (const copy of await drive.list(walletId)) {
        try {
          return { id: copy.id, value: await check(await drive.download(copy)) }
        } catch (error) {
          // What is not this wallet's newest is passed over: a ceremony that was given up may have left a copy.
          problem ??= error
          if (!(error instanceof KeybayError) || !PASSED_OVER.has(error.code)) throw error
        }
      }
      throw problem ?? new KeybayError(backupMissing)
    },
    async keepOnly({ walletId }, id) {
      const copies = await drive.list(walletId)
      if (!copies.some(copy => copy.id === id)) return
      for (const copy of copies) if (copy.id !== id) await drive.remove(copy)
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
