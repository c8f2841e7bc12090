/** A backup's header: canonical JSON, so that one header has exactly one text. It is authenticated with the shares. */
import { equalBytes } from '@keybay/kernel/spec'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { backupMalformed, fault, orFault } from '../errors.js'
import { getGroup } from '../group.js'
import { PARTIES, type Party, sortParties } from '../parties.js'
import { groupKey } from '../set.js'
import { solanaAddress } from '../solana-key.js'
import type { SetPlan, ShareSet } from '../types.js'
import { decode, encode } from '../wire/codec.js'
import { shareSet } from '../wire/set-codecs.js'
import { checkKdf, type KdfParameters } from './kdf.js'
import { INPUT, type PasskeyName } from './passkey.js'

/** Bytes of a key's salt and of AES-GCM's nonce. */
export const SALT = 16
export const NONCE = 12

/** Derives the key from a password or a recovery code. */
export interface PasswordKdf extends KdfParameters {
  readonly name: 'argon2id'
  readonly salt: Uint8Array
}
/** Derives the key from a passkey's output. */
export interface PasskeyKdf extends PasskeyName {
  readonly name: 'webauthn-prf'
  readonly salt: Uint8Array
}
/** The facts that a backup states in the open. */
export interface BackupHeader {
  /** 1: password or recovery code; 2: passkey. */
  readonly version: 1 | 2
  readonly walletId: string
  /** Base58 for ed25519, else the group key in hex. */
  readonly address: string
  readonly set: ShareSet
  /** The owners of the shares inside. */
  readonly parties: readonly Party[]
  readonly kdf: PasswordKdf | PasskeyKdf
  /** AES-GCM's nonce, 12 bytes. */
  readonly nonce: Uint8Array
}

function addressOf(set: ShareSet): string {
  return set.curve === 'ed25519' ? solanaAddress(set) : bytesToHex(groupKey(set))
}

function kdfText(kdf: PasswordKdf | PasskeyKdf): object {
  return kdf.name === 'argon2id'
    ? {
        name: kdf.name,
        memoryKiB: kdf.memoryKiB,
        iterations: kdf.iterations,
        parallelism: kdf.parallelism,
        salt: bytesToHex(kdf.salt),
      }
    : {
        name: kdf.name,
        rpId: kdf.rpId,
        credentialId: kdf.credentialId,
        input: bytesToHex(kdf.input),
        salt: bytesToHex(kdf.salt),
      }
}

function getVersion({ name }: PasswordKdf | PasskeyKdf): 1 | 2 {
  return name === 'argon2id' ? 1 : 2
}

export function writeHeader({
  set,
  parties,
  kdf,
  nonce,
}: Omit<BackupHeader, 'version' | 'walletId' | 'address'>): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify({
      version: getVersion(kdf),
      walletId: set.walletId,
      address: addressOf(set),
      ceremonyId: set.ceremonyId,
      setId: set.setId,
      epoch: set.epoch,
      curve: set.curve,
      threshold: set.threshold,
      holders: set.parties,
      shares: parties,
      commitments: set.commitments.map(bytes => bytesToHex(bytes)),
      kdf: kdfText(kdf),
      cipher: { name: 'AES-256-GCM', nonce: bytesToHex(nonce) },
    }),
  )
}

const bytes = v.pipe(
  v.string(),
  v.regex(/^([0-9a-f]{2}){1,64}$/),
  v.transform(text => Uint8Array.from(hexToBytes(text))),
)
const number = v.pipe(v.number(), v.integer(), v.minValue(0))
const salt = v.pipe(bytes, v.length(SALT))
const parties = v.array(v.picklist(PARTIES))
const schema = v.strictObject({
  version: v.picklist([1, 2]),
  walletId: v.string(),
  address: v.string(),
  ceremonyId: v.string(),
  setId: v.string(),
  epoch: number,
  curve: v.picklist(['ed25519', 'secp256k1']),
  threshold: number,
  holders: parties,
  shares: parties,
  commitments: v.array(bytes),
  kdf: v.union([
    v.strictObject({ name: v.literal('argon2id'), memoryKiB: number, iterations: number, parallelism: number, salt }),
    v.strictObject({
      name: v.literal('webauthn-prf'),
      rpId: v.pipe(v.string(), v.regex(/^[a-z0-9.-]{1,253}$/)),
      credentialId: v.pipe(v.string(), v.regex(/^[\w-]{1,1364}$/)),
      input: v.pipe(bytes, v.length(INPUT)),
      salt,
    }),
  ]),
  cipher: v.strictObject({ name: v.literal('AES-256-GCM'), nonce: v.pipe(bytes, v.length(NONCE)) }),
})

/**
 * Reads a header from any bytes.
 * @throws `mpc_backup_malformed`, also for another text of the same header; `mpc_backup_parameters`,
 *   `mpc_curve_unknown`.
 */
export function readHeader(headerBytes: Uint8Array): BackupHeader {
  const parsed = orFault(
    () => v.parse(schema, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(headerBytes))),
    backupMalformed,
    'backup',
  )
  const { walletId, address, ceremonyId, setId, epoch, curve, threshold, commitments, kdf } = parsed
  if (kdf.name === 'argon2id') checkKdf(kdf)
  const plan: SetPlan = { ceremonyId, walletId, setId, epoch, curve, threshold, parties: parsed.holders }
  getGroup(curve)
  // Encodes it once: the codec refuses every impossible set.
  const set = orFault(() => decode(shareSet, encode(shareSet, { ...plan, commitments })), backupMalformed, 'backup')
  const header: BackupHeader = {
    version: getVersion(kdf),
    walletId,
    address,
    set,
    parties: parsed.shares,
    kdf,
    nonce: parsed.cipher.nonce,
  }
  // Writing it again also checks that the version fits the key.
  const fits = parsed.shares.length > 0 && parsed.shares.join() === getShares(set, parsed.shares).join()
  if (!fits || !equalBytes(writeHeader(header), headerBytes)) throw fault(backupMalformed, 'backup')
  return header
}

function getShares(set: ShareSet, shares: readonly Party[]): readonly Party[] {
  return sortParties(shares).filter(party => set.parties.includes(party))
}
