/** A place for backups that is reached by HTTP. */
import { KeybayError } from '@keybay/kernel/spec'
import { frameError } from '../../errors/errors.js'
import { isOfSet } from '../envelope.js'
import { type BackupStore, backupName, type CloudDrive, type KeptCopy, type StoredCopy } from '../store.js'

/**
 * Returns true if the copy restores nothing any more: it is of an older epoch, unreadable after an upload that was cut,
 * or another copy of the same shares. A copy of other shares of the same epoch stays: R1 alone says which of the two are
 * active, and another browser may hold their device share.
 */
function isReplaced(copy: Uint8Array, { epoch, set }: KeptCopy): boolean {
  try {
    return backupName(copy).epoch < epoch || isOfSet(copy, set)
  } catch {
    return true
  }
}

type Found<T> = { readonly copy: StoredCopy; readonly value: T } | { readonly problem: unknown }

/** Returns the first copy that passes the check, or the problem of the first copy. */
async function findCopy<T>(
  drive: CloudDrive,
  copies: readonly StoredCopy[],
  check: (copy: Uint8Array) => Promise<T>,
): Promise<Found<T>> {
  let problem: unknown
  for (const copy of copies) {
    try {
      return { copy, value: await check(await drive.download(copy)) }
    } catch (error) {
      // Skip copies of other wallets or epochs: an abandoned ceremony may have left one.
      problem ??= error
      if (!(error instanceof KeybayError) || !PASSED_OVER.has(error.code)) throw error
    }
  }
  return { problem }
}

export function cloudStore(drive: CloudDrive): BackupStore {
  return {
    provider: drive.provider,
    account: drive.account,
    put: envelope => drive.upload(backupName(envelope), envelope),
    async read({ walletId, epoch }, check) {
      const current = await findCopy(drive, await drive.list(walletId), check)
      if ('copy' in current) return { id: current.copy.id, value: current.value }
      // The user's last copy may be one that another browser, or an attacker, erased.
      const candidates = ((await drive.erased?.list(walletId)) ?? []).filter(copy => copy.epoch === epoch)
      const erased = await findCopy(drive, candidates, check)
      if (!('copy' in erased)) throw current.problem ?? frameError('frame_backup_missing')
      await drive.erased?.restore(erased.copy)
      return { id: erased.copy.id, value: erased.value }
    },
    async keepOnly(kept) {
      const copies = await drive.list(kept.walletId)
      if (!copies.some(({ id }) => id === kept.id)) return
      for (const copy of copies)
        if (copy.id !== kept.id && isReplaced(await drive.download(copy), kept)) await drive.remove(copy)
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
