/** Seals backup shares into an envelope, and checks a copy read back from its place before anything depends on it. */
import { toBase64Url } from '@keybay/kernel/spec'
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
import { frameError } from '../errors/errors.js'
import { deriveSealingKey } from './recorded-account.js'

export interface EnvelopeInput {
  /** All shares except the device's. The function erases them. */
  readonly shares: readonly KeyShare[]
  readonly sealedSeed?: Uint8Array | undefined
  readonly password: BackupSecret
  readonly argon2id: Argon2id
}

/** @returns undefined if the scheme has no backup share */
export async function sealEnvelope({ shares, ...rest }: EnvelopeInput): Promise<Uint8Array | undefined> {
  if (shares.length === 0) return undefined
  try {
    return await sealBackupWith({ shares, ...rest })
  } finally {
    eraseShare(...shares)
  }
}

/**
 * Checks the share set of a copy before the slow key derivation, because most wrong files are older backups.
 * @param set the expected share set as bytes
 * @throws KeybayError `frame_backup_wrong`, `mpc_backup_malformed`
 */
export function assertSet(copy: Uint8Array, set: Uint8Array): void {
  if (!isOfSet(copy, set)) throw frameError('frame_backup_wrong')
}

/** Returns true if the copy has shares of this set. @throws KeybayError `mpc_backup_malformed` */
export function isOfSet(copy: Uint8Array, set: Uint8Array): boolean {
  return toBase64Url(encode(codecs.shareSet, readBackupHeader(copy).set)) === toBase64Url(set)
}

/**
 * Opens a copy that was read back, and compares the content with the expected share set.
 * @param set the expected share set as bytes
 * @returns the key that only the holder of this backup derives
 * @throws KeybayError `frame_backup_wrong`, `mpc_backup_unreadable`, `mpc_backup_malformed`
 */
export async function checkEnvelope(
  copy: Uint8Array,
  {
    set,
    password,
    argon2id,
  }: { readonly set: Uint8Array; readonly password: BackupSecret; readonly argon2id: Argon2id },
): Promise<CryptoKey> {
  assertSet(copy, set)
  const { shares } = await openBackupWith(copy, password, argon2id)
  const [share] = shares
  if (!share) throw frameError('frame_backup_wrong')
  try {
    return await deriveSealingKey(share)
  } finally {
    eraseShare(...shares)
  }
}
