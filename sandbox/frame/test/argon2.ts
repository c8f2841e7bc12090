/** Opens backups that the test build of the frame sealed. */
import { type BackupSecret, type OpenedBackup, openBackup } from '@keybay/waas/mpc'
import { argon2id } from '@noble/hashes/argon2.js'

/** Opens an envelope at the cost that vite.config.ts defines for tests. */
export function openTestBackup(envelope: Uint8Array, secret: BackupSecret): Promise<OpenedBackup> {
  return openBackup(envelope, secret, (password, salt) => argon2id(password, salt, { m: 8, t: 1, p: 1, dkLen: 32 }))
}
