/** The backup shares in their envelope: sealed, and read back from where they were put before anything depends on them. */
import { KeybayError, toBase64Url } from '@keybay/kernel/spec'
import {
  type Argon2id,
  type BackupSecret,
  codecs,
  encode,
  eraseShare,
  type KeyShare,
  openBackupWith,
  readBackupHeader,
  sealBackupWith,
} from '@keybay/waas/mpc'
import { backupWrong } from '../errors/errors.js'

export interface EnvelopeInput {
  /** All that are not the device's. They are erased. */
  readonly shares: readonly KeyShare[]
  readonly sealedSeed?: Uint8Array | undefined
  readonly password: BackupSecret
  readonly argon2id: Argon2id
}

/** @returns undefined where the scheme has no backup share */
export async function sealEnvelope({ shares, ...rest }: EnvelopeInput): Promise<Uint8Array | undefined> {
  if (shares.length === 0) return undefined
  try {
    return await sealBackupWith({ shares, ...rest })
  } finally {
    eraseShare(...shares)
  }
}

/**
 * Before the slow part: most wrong files are an older backup.
 *
 * @param set what it has to say, as bytes
 * @throws KeybayError `frame_backup_wrong`, `mpc_backup_malformed`
 */
export function assertSet(copy: Uint8Array, set: Uint8Array): void {
  if (toBase64Url(encode(codecs.shareSet, readBackupHeader(copy).set)) !== toBase64Url(set))
    throw new KeybayError(backupWrong)
}

/**
 * Opens a copy that was read back, and compares it with what it has to hold.
 *
 * @param set the share set as bytes
 * @throws KeybayError `frame_backup_wrong`, `mpc_backup_unreadable`, `mpc_backup_malformed`
 */
export async function checkEnvelope(
  copy: Uint8Array,
  {
    set,
    password,
    argon2id,
  }: { readonly set: Uint8Array; readonly password: BackupSecret; readonly argon2id: Argon2id },
): Promise<void> {
  assertSet(copy, set)
  const { shares } = await openBackupWith(copy, password, argon2id)
  eraseShare(...shares)
}
