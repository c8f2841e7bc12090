/** A place for backups that is reached by HTTP. */
import { KeybayError } from '@keybay/kernel/spec'
import { frameError } from '../../errors/errors.js'
import { type BackupStore, backupName, type CloudDrive } from '../store.js'

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
