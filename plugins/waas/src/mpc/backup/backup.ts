/** The backup envelope: shares under a password or a passkey, by AES-256-GCM. `BACKUP.md` describes the bytes. */
import { equalBytes } from '@keybay/kernel/spec'
import { gcm } from '@noble/ciphers/aes.js'
import { concatBytes, randomBytes } from '@noble/curves/utils.js'
import { createCopy, erase } from '../bytes.js'
import {
  backupMalformed,
  backupPasskey,
  backupUnreadable,
  fault,
  orFault,
  passwordEmpty,
  sharesMissing,
} from '../errors.js'
import { sortParties } from '../parties.js'
import { SEALED_SEED_BYTES } from '../seed.js'
import { checkOneSet, checkShare } from '../set.js'
import type { Curve, KeyShare, RandomBytes } from '../types.js'
import { type Codec, decode, encode } from '../wire/codec.js'
import { fixed, getScalar, list, optional, record } from '../wire/fields.js'
import { type BackupHeader, NONCE, readHeader, SALT, writeHeader } from './header.js'
import { type Argon2id, checkKdf, KDF_FLOOR, type KdfParameters } from './kdf.js'
import { INPUT, type PasskeySecret, passkeyKey } from './passkey.js'

/** The secret that seals and opens a backup: a password, a recovery code, or a passkey's output. */
export type BackupSecret = string | PasskeySecret

export interface BackupInput {
  /** One or more of one set and epoch. They are not erased: read the envelope back first. */
  readonly shares: readonly KeyShare[]
  readonly sealedSeed?: Uint8Array | undefined
  /** A text is normalised by NFKC, so that it opens from every keyboard. */
  readonly password: BackupSecret
  /** For a text. */
  readonly kdf?: KdfParameters
  readonly argon2id: Argon2id
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
/** Real headers are shorter than 2 KiB. */
const LARGEST = 16 * 1024

type KeyFacts = Pick<BackupHeader, 'kdf' | 'walletId'>
/** @throws `mpc_backup_passkey`, `mpc_backup_unreadable` for a secret of the other kind */
async function getKey(argon2id: Argon2id, secret: BackupSecret, { kdf, walletId }: KeyFacts): Promise<Uint8Array> {
  if (kdf.name === 'webauthn-prf') {
    if (typeof secret === 'string') throw fault(backupPasskey, 'backup')
    return passkeyKey(secret.output, kdf.salt, walletId)
  }
  if (typeof secret !== 'string') throw fault(backupUnreadable, 'backup')
  const bytes = new TextEncoder().encode(secret.normalize('NFKC'))
  try {
    return await argon2id(bytes, kdf.salt, kdf)
  } finally {
    erase(bytes)
  }
}

/** @throws `mpc_backup_parameters` */
function kdfFor(secret: BackupSecret, parameters: KdfParameters, salt: Uint8Array): BackupHeader['kdf'] {
  if (typeof secret === 'string') {
    checkKdf(parameters)
    const { memoryKiB, iterations, parallelism } = parameters
    return { name: 'argon2id', memoryKiB, iterations, parallelism, salt }
  }
  const { rpId, credentialId, input } = secret
  return { name: 'webauthn-prf', rpId, credentialId, input, salt }
}

function isEmpty(secret: BackupSecret): boolean {
  return typeof secret === 'string' ? secret === '' : secret.output.length !== INPUT
}

/**
 * Returns the envelope's bytes. No broken share is ever backed up.
 * @throws `mpc_password_empty`; `mpc_backup_parameters`; `mpc_sets_mixed`; `mpc_share_invalid`
 * @example await sealBackup({ shares: [b1], sealedSeed, password, argon2id })
 */
export async function sealBackup({
  shares: inputShares,
  sealedSeed,
  password,
  kdf = KDF_FLOOR,
  argon2id,
  random = randomBytes,
}: BackupInput): Promise<Uint8Array> {
  if (isEmpty(password)) throw fault(passwordEmpty, 'backup')
  checkOneSet(inputShares, 'backup')
  const shares = sortParties(inputShares.map(({ party }) => party)).flatMap(
    party => inputShares.find(share => share.party === party) ?? [],
  )
  const [first] = shares
  if (!first || shares.length !== inputShares.length) throw fault(sharesMissing, 'backup')
  for (const share of shares) checkShare(share, 'backup')
  const { set } = first
  const made = { kdf: kdfFor(password, kdf, random(SALT)), nonce: random(NONCE) }
  const header = writeHeader({ set, parties: shares.map(({ party }) => party), ...made })
  // Refuses to write what it could not read.
  readHeader(header)
  const start = concatBytes(MAGIC, getLength(header), header)
  const key = await getKey(argon2id, password, { ...made, walletId: set.walletId })
  const secrets = encode(backupSecrets[set.curve], { secrets: shares.map(({ secret }) => secret), sealedSeed })
  try {
    return concatBytes(start, gcm(key, made.nonce, start).encrypt(secrets))
  } finally {
    erase(key, secrets)
  }
}

/** Reads the header, authentic once the backup is opened. @throws `mpc_backup_malformed`, `mpc_backup_parameters` */
export function readBackupHeader(backup: Uint8Array): BackupHeader {
  return readHeader(headerBytes(backup))
}

/**
 * @throws `mpc_backup_malformed` and `mpc_backup_parameters` before anything is derived; `mpc_backup_unreadable` for a
 *   wrong secret or a changed byte; `mpc_backup_passkey` for a password where a passkey opens; `mpc_share_invalid`
 * @example const { shares, header } = await openBackup(bytes, password, argon2id)
 */
export async function openBackup(
  backup: Uint8Array,
  password: BackupSecret,
  argon2id: Argon2id,
): Promise<OpenedBackup> {
  // Copies first: deriving takes time, and the caller may reuse the bytes.
  const whole = createCopy(backup)
  const header = readBackupHeader(whole)
  const end = START + headerBytes(whole).length
  const [start, sealed] = [whole.subarray(0, end), whole.subarray(end)]
  const key = await getKey(argon2id, password, header)
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

function getLength(header: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, header.length)
  return bytes
}

function headerBytes(backup: Uint8Array): Uint8Array {
  const known = equalBytes(backup.subarray(0, MAGIC.length), MAGIC)
  if (!known || backup.length < START || backup.length > LARGEST) throw fault(backupMalformed, 'backup')
  const length = new DataView(backup.buffer, backup.byteOffset).getUint32(MAGIC.length)
  if (length > backup.length - START) throw fault(backupMalformed, 'backup')
  return backup.subarray(START, START + length)
}

interface BackupSecrets {
  readonly secrets: readonly Uint8Array[]
  readonly sealedSeed: Uint8Array | undefined
}

function getSecrets(curve: Curve, kind: number): Codec<BackupSecrets> {
  return {
    kind,
    field: record<BackupSecrets>({ secrets: list(getScalar(curve)), sealedSeed: optional(fixed(SEALED_SEED_BYTES)) }),
  }
}
const backupSecrets: Readonly<Record<Curve, Codec<BackupSecrets>>> = {
  ed25519: getSecrets('ed25519', 50),
  secp256k1: getSecrets('secp256k1', 51),
}
