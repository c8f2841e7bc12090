/**
 * The whole key from envelopes alone: no relay, no API, no network. A threshold of shares of one set and epoch is enough,
 * for example the backup and an exported device share of a 2-of-3 wallet.
 */
import { KeybayError } from '@keybay/kernel'
import {
  type Argon2id,
  combineShares,
  encodeSolanaKey,
  erase,
  eraseShare,
  exportSolanaKey,
  fault,
  type KeyShare,
  nobleArgon2id,
  type OpenedBackup,
  openBackup,
  sharesMissing,
  solanaAddress,
} from '../mpc/index.js'

export interface RecoveredKey {
  readonly address: string
  /** `seed`: 64 bytes that every Solana wallet imports. `scalar`: 32 bytes, little-endian; only `sweep` takes it. */
  readonly kind: 'seed' | 'scalar'
  /** A secret: erase it. */
  readonly key: Uint8Array
  /** The group's scalar, which signs in either case. A secret: erase it. */
  readonly scalar: Uint8Array
}
export interface RecoveryInput {
  /** As `BACKUP.md` describes them. */
  readonly envelopes: readonly Uint8Array[]
  /** Of all, or of each in its order; each envelope is tried with each of them. */
  readonly passwords: readonly string[]
  readonly argon2id?: Argon2id | undefined
}

const openAny = async (
  envelope: Uint8Array,
  passwords: readonly string[],
  argon2id: Argon2id,
): Promise<OpenedBackup> => {
  let problem: unknown = fault(sharesMissing, 'backup')
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
 * @throws KeybayError `mpc_backup_unreadable` (wrong password), `mpc_backup_malformed`, `mpc_sets_mixed` (another wallet,
 *   set or epoch), `mpc_shares_missing` (fewer than the threshold), `mpc_party_unexpected` (the same share twice)
 * @example const { address, key } = await recoverKey({ envelopes: [backup, device], passwords: ['correct horse'] })
 */
export const recoverKey = async ({
  envelopes,
  passwords,
  argon2id = nobleArgon2id,
}: RecoveryInput): Promise<RecoveredKey> => {
  const shares: KeyShare[] = []
  try {
    let sealedSeed: Uint8Array | undefined
    for (const envelope of envelopes) {
      const opened = await openAny(envelope, passwords, argon2id)
      shares.push(...opened.shares)
      sealedSeed ??= opened.sealedSeed
    }
    const [first] = shares
    const scalar = combineShares(shares)
    if (!first) throw fault(sharesMissing, 'combine')
    const address = solanaAddress(first.set)
    if (!sealedSeed) return { address, kind: 'scalar', key: scalar.slice(), scalar }
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

/** As people enter it: base58 of a `seed` key, hexadecimal of a `scalar`. Text cannot be erased: make it only to show it. */
export const keyText = ({ kind, key }: Pick<RecoveredKey, 'kind' | 'key'>): string =>
  kind === 'seed' ? encodeSolanaKey(key) : Array.from(key, byte => byte.toString(16).padStart(2, '0')).join('')

/** Overwrites both secrets. */
export const eraseKey = ({ key, scalar }: Pick<RecoveredKey, 'key' | 'scalar'>): void => erase(key, scalar)
