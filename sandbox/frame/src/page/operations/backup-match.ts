/** Checks, from the header and before any key derivation, that a file is the newest backup of a wallet. */
import { toBase64Url } from '@keybay/kernel/spec'
import { codecs, encode, readBackupHeader } from '@keybay/waas/mpc'
import type { KnownSet, KnownWallet } from '../core/views.js'
import { frameError } from '../errors/errors.js'

/** Sizes from `BACKUP.md`, in bytes: start of the file, around the shares, one share, the sealed seed, the tag. */
const [START, AROUND, SHARE, SEED, TAG] = [12, 4, 32, 60, 16]

/** The file contains the length of its header, so the rest has one of two lengths: with or without a sealed seed. */
function isWhole(file: Uint8Array, shares: number): boolean {
  const header = new DataView(file.buffer, file.byteOffset).getUint32(8)
  const rest = file.length - START - header - AROUND - shares * SHARE - TAG
  return rest === 0 || rest === SEED
}

/**
 * @param primary the wallet's primary set, from R1's verified record
 * @throws KeybayError `mpc_backup_malformed`; `frame_backup_other`, `frame_backup_old`, `frame_backup_wrong`,
 *   `frame_backup_cut`
 */
export function assertMatch(file: Uint8Array, wallet: KnownWallet, primary: KnownSet): void {
  const header = readBackupHeader(file)
  if (header.set.walletId !== wallet.walletId) throw frameError('frame_backup_other', { detail: header.address })
  if (header.set.setId === primary.setId && header.set.epoch < primary.epoch)
    throw frameError('frame_backup_old', { detail: `${header.set.epoch + 1} of ${primary.epoch + 1}` })
  if (toBase64Url(encode(codecs.shareSet, header.set)) !== primary.claims.pub) throw frameError('frame_backup_wrong')
  if (!isWhole(file, header.parties.length)) throw frameError('frame_backup_cut')
}
