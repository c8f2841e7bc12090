/** Seals and opens with argon2id in JavaScript. A separate file, so that a page with a worker never loads it. */
import { type BackupInput, type BackupSecret, type OpenedBackup, openBackup, sealBackup } from './backup.js'
import { type Argon2id, nobleArgon2id } from './kdf.js'

/** Like `sealBackup` of `backup.ts`. @example await sealBackup({ shares: [b1], sealedSeed, password }) */
export function sealBackupHere({
  argon2id = nobleArgon2id,
  ...input
}: Omit<BackupInput, 'argon2id'> & Partial<Pick<BackupInput, 'argon2id'>>): Promise<Uint8Array> {
  return sealBackup({ ...input, argon2id })
}

/** Like `openBackup` of `backup.ts`. @example const { shares, header } = await openBackup(bytes, password) */
export function openBackupHere(
  backup: Uint8Array,
  password: BackupSecret,
  argon2id: Argon2id = nobleArgon2id,
): Promise<OpenedBackup> {
  return openBackup(backup, password, argon2id)
}
