/**
 * The backup envelope: shares of one party or more under a password. AES-256-GCM by argon2id's key; everything before the ciphertext,
 * exactly as it is stored, is authenticated. `BACKUP.md` describes the bytes.
 */
import { gcm } from '@noble/ciphers/aes.js'
import { concatBytes, randomBytes } from '@noble/curves/utils.js'
import { copyOf, equalBytes, erase } from '../bytes.js'
import { backupMalformed, backupUnreadable, fault, orFault, passwordEmpty, sharesMissing } from '../errors.js'
import { sortParties } from '../parties.js'
import { checkOneSet, checkShare } from '../set.js'
import type { KeyShare, RandomBytes } from '../types.js'
import { backupSecrets } from '../wire/backup-codec.js'
import { decode, encode } from '../wire/codec.js'
import { type BackupHeader, NONCE, readHeader, SALT, writeHeader } from './header.js'
import { type Argon2id, checkKdf, KDF_FLOOR, type KdfParameters, nobleArgon2id } from './kdf.js'

export interface BackupInput {
  /** Of one set and epoch, one or more. They are not erased: read the envelope back first. */
  readonly shares: readonly KeyShare[]
  readonly sealedSeed?: Uint8Array | undefined
  /** Or a recovery code. Normalised by NFKC, so that every keyboard's version of it opens. */
  readonly password: string
  readonly kdf?: KdfParameters
  readonly argon2id?: Argon2id
  readonly random?: RandomBytes
}
export interface OpenedBackup {
  readonly header: BackupHeader
  /** Each checked against its set; the caller erases them. */
  readonly shares: readonly KeyShare[]
  readonly sealedSeed?: Uint8Array | undefined
}

const MAGIC = new TextEncoder().encode('KEYBAY01')
const START = MAGIC.length + 4
/** Real ones have less than 2 KiB. */
const LARGEST = 16 * 1024

const keyOf = async (argon2id: Argon2id, password: string, header: Pick<BackupHeader, 'kdf'>): Promise<Uint8Array> => {
  checkKdf(header.kdf)
  const bytes = new TextEncoder().encode(password.normalize('NFKC'))
  try {
    return await argon2id(bytes, header.kdf.salt, header.kdf)
  } finally {
    erase(bytes)
  }
}

/**
 * The envelope's bytes, for a file or any storage.
 * @throws `mpc_password_empty`; `mpc_backup_parameters`; `mpc_sets_mixed`; `mpc_share_invalid`, so that no broken share is ever backed up.
 * @example await sealBackup({ shares: [b1], sealedSeed, password })
 */
export const sealBackup = async ({
  shares: given,
  sealedSeed,
  password,
  kdf = KDF_FLOOR,
  argon2id = nobleArgon2id,
  random = randomBytes,
}: BackupInput): Promise<Uint8Array> => {
  if (!password) throw fault(passwordEmpty, 'backup')
  checkOneSet(given, 'backup')
  const shares = sortParties(given.map(({ party }) => party)).flatMap(
    party => given.find(one => one.party === party) ?? [],
  )
  const [first] = shares
  if (!first || shares.length !== given.length) throw fault(sharesMissing, 'backup')
  for (const share of shares) checkShare(share, 'backup')
  const { set } = first
  const parameters = { kdf: { ...kdf, salt: random(SALT) }, nonce: random(NONCE) }
  const header = writeHeader({ set, parties: shares.map(({ party }) => party), ...parameters })
  const start = concatBytes(MAGIC, lengthOf(header), header)
  const key = await keyOf(argon2id, password, parameters)
  const secrets = encode(backupSecrets[set.curve], { secrets: shares.map(({ secret }) => secret), sealedSeed })
  try {
    return concatBytes(start, gcm(key, parameters.nonce, start).encrypt(secrets))
  } finally {
    erase(key, secrets)
  }
}

/**
 * What is said without the password. It is authentic only once the backup has been opened.
 * @throws `mpc_backup_malformed`, `mpc_backup_parameters`
 */
export const readBackupHeader = (backup: Uint8Array): BackupHeader => readHeader(headerBytes(backup))

/**
 * @throws `mpc_backup_malformed` and `mpc_backup_parameters` before anything is derived; `mpc_backup_unreadable` for a wrong password or a changed byte;
 * `mpc_share_invalid` for a share that is not its set's.
 * @example const { shares, header } = await openBackup(bytes, password)
 */
export const openBackup = async (
  backup: Uint8Array,
  password: string,
  argon2id: Argon2id = nobleArgon2id,
): Promise<OpenedBackup> => {
  // A copy, because deriving takes its time, and the caller may go on with these bytes.
  const whole = copyOf(backup)
  const header = readBackupHeader(whole)
  const end = START + headerBytes(whole).length
  const [start, sealed] = [whole.subarray(0, end), whole.subarray(end)]
  const key = await keyOf(argon2id, password, header)
  const opened = orFault(() => gcm(key, header.nonce, start).decrypt(sealed), backupUnreadable, 'backup')
  const { secrets, sealedSeed } = decode(backupSecrets[header.set.curve], opened)
  erase(key, opened)
  if (secrets.length !== header.parties.length) throw fault(backupMalformed, 'backup')
  const shares = header.parties.flatMap((party, i) => {
    const secret = secrets[i]
    return secret ? [{ set: header.set, party, secret }] : []
  })
  for (const share of shares) checkShare(share, 'backup')
  return { header, shares, sealedSeed }
}

const lengthOf = (header: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, header.length)
  return bytes
}
const headerBytes = (backup: Uint8Array): Uint8Array => {
  const known = equalBytes(backup.subarray(0, MAGIC.length), MAGIC)
  if (!known || backup.length < START || backup.length > LARGEST) throw fault(backupMalformed, 'backup')
  const length = new DataView(backup.buffer, backup.byteOffset).getUint32(MAGIC.length)
  if (length > backup.length - START) throw fault(backupMalformed, 'backup')
  return backup.subarray(START, START + length)
}
