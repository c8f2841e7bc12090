/** Recovers the private key from envelopes alone, by a threshold of shares of one set and epoch. */
import { KeybayError } from '@keybay/kernel/spec'
import { openBackup, readBackupHeader } from '../mpc/backup/backup.js'
import {
  type Argon2id,
  backupPasskey,
  combineShares,
  encodeSolanaKey,
  erase,
  eraseShare,
  exportSolanaKey,
  fault,
  type KeyShare,
  type OpenedBackup,
  passwordEmpty,
  type ShareSet,
  sharesMissing,
  solanaAddress,
} from '../mpc/index.js'

export interface RecoveredKey {
  /** For `private-key` the addresses of both chains, since a backup does not name the chain. */
  readonly address: string
  /** `seed`: 64 bytes. `scalar`: 32 bytes, little-endian, which only `sweep` takes. `private-key`: 32 bytes. */
  readonly kind: 'seed' | 'scalar' | 'private-key'
  /** A secret: erase it. */
  readonly key: Uint8Array
  /** The group's scalar, which signs for every kind. A secret: erase it. */
  readonly scalar: Uint8Array
}
export interface RecoveryInput {
  /** Envelopes in the format of `BACKUP.md`. */
  readonly envelopes: readonly Uint8Array[]
  /** One for all envelopes, or one for each; every envelope is tried with every password. */
  readonly passwords: readonly string[]
  readonly argon2id: Argon2id
  /** Writes the address of a key. Default: Solana's. */
  readonly addressOf?: (set: ShareSet) => string
}

async function openAny(envelope: Uint8Array, passwords: readonly string[], argon2id: Argon2id): Promise<OpenedBackup> {
  if (passwords.length === 0) {
    const { kdf } = readBackupHeader(envelope)
    throw fault(kdf.name === 'argon2id' ? passwordEmpty : backupPasskey, 'backup')
  }
  let problem: unknown
  for (const password of passwords) {
    try {
      return await openBackup(envelope, password, argon2id)
    } catch (error) {
      problem = error
      if (!(error instanceof KeybayError) || error.code !== 'mpc_backup_unreadable') break
    }
  }
  throw problem
}

/**
 * @throws KeybayError `mpc_password_empty` (none was given), `mpc_backup_unreadable` (wrong password), `mpc_backup_passkey`, `mpc_backup_malformed`,
 *   `mpc_sets_mixed` (another wallet, set or epoch), `mpc_shares_missing` (fewer than the threshold), `mpc_party_unexpected` (the same share twice)
 * @example const { address, key } = await recoverKey({ envelopes: [backup, device], passwords: ['correct horse'], argon2id })
 */
export async function recoverKey({
  envelopes,
  passwords,
  argon2id,
  addressOf = solanaAddress,
}: RecoveryInput): Promise<RecoveredKey> {
  const shares: KeyShare[] = []
  try {
    let sealedSeed: Uint8Array | undefined
    for (const envelope of envelopes) {
      const opened = await openAny(envelope, passwords, argon2id)
      shares.push(...opened.shares)
      sealedSeed ??= opened.sealedSeed
    }
    const [first] = shares
    if (!first) throw fault(sharesMissing, 'combine')
    const address = addressOf(first.set)
    const scalar = combineShares(shares)
    if (first.set.curve === 'secp256k1') return { address, kind: 'private-key', key: new Uint8Array(scalar), scalar }
    if (!sealedSeed) return { address, kind: 'scalar', key: new Uint8Array(scalar), scalar }
    try {
      return { address, kind: 'seed', key: exportSolanaKey(shares, sealedSeed), scalar }
    } catch (error) {
      erase(scalar)
      throw error
    }
  } finally {
    eraseShare(...shares)
  }
}

/** Returns base58 of a `seed` key, hexadecimal of the others. Text cannot be erased: create it only to show it. */
export function keyText({ kind, key }: Pick<RecoveredKey, 'kind' | 'key'>): string {
  return kind === 'seed' ? encodeSolanaKey(key) : Array.from(key, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Overwrites both secrets. */
export function eraseKey({ key, scalar }: Pick<RecoveredKey, 'key' | 'scalar'>): void {
  erase(key, scalar)
}
