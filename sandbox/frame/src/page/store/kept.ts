/** Records of share sets in IndexedDB. Secrets are in `sealed` only. */
import type { BackupProvider, Chain, ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { Sealed } from './seal.js'

/** A device share, C, of one epoch. */
export interface KeptShare {
  readonly epoch: number
  /** The public `ShareSet` as bytes of the mpc codec. */
  readonly set: Uint8Array
  readonly sealed: Sealed
}
export interface KeptBackup {
  readonly provider: BackupProvider
  /** Owner of an `external` backup. Default: the user, in a file. */
  readonly keeper?: 'host' | 'file' | undefined
  /** Epoch of its share. A backup of an older epoch restores nothing. */
  readonly epoch: number
  /** ms since epoch */
  readonly at: number
}
/** A ceremony between its storing and its commit. Until the relay's record says that it is committed, the old share signs. */
export interface PendingCeremony {
  readonly ceremonyId: string
  readonly operation: 'refreshWalletAccountShares' | 'reshare'
  readonly scheme: ThresholdSignatureScheme
  /** Target of the new backup; undefined: it stays in this browser. */
  readonly place?: BackupProvider | undefined
  readonly share: KeptShare
  /** base64url, 32 bytes: what all parties have seen. */
  readonly transcript: string
  /** `ShareProof`s of the frame's new parties, made while their shares were there. */
  readonly proofs: readonly string[]
  /** The new backup shares, encrypted. None where the new scheme has no backup. */
  readonly envelope?: Uint8Array | undefined
  /** Verified backups. */
  readonly backup?: KeptBackup | undefined
  /** ms since epoch; the relay forgets the ceremony then. */
  readonly expiresAt: number
  /** The relay refused the commit for good, by an unsigned error: the next try deals again, and this share stays until a record decides. */
  readonly ended?: boolean | undefined
}
/** Why a set no longer signs in this browser. Its share stays sealed. */
export interface Retirement {
  /** `revoked`: by a signed record. `ended`: its creation was refused, or another ceremony made its epoch. */
  readonly reason: 'revoked' | 'ended'
  /** This browser's clock at the last look, ms since epoch. */
  readonly seenAt: number
  /** Time that has passed since the retirement, ms, as far as this browser has seen it. */
  readonly countedMs: number
}
/** A creation before its last message, or with that message's answer lost: it may or may not exist at the relay. */
export interface PendingCreation {
  /** Idempotency key: the same request in the visible frame continues here. */
  readonly key?: string | undefined
  readonly operation: 'createWalletAccount' | 'importPrivateKey' | 'addDevice' | 'restoreBackup'
  /** Target of a new wallet's backup; undefined: it stays in this browser. */
  readonly place?: BackupProvider | undefined
  readonly path: string
  readonly body: object
  /** ms since epoch; the relay forgets the ceremony then. */
  readonly expiresAt: number
}
export interface KeptSet {
  readonly user: string
  readonly walletId: string
  readonly setId: string
  readonly kind: 'primary' | 'device' | 'delegate'
  readonly address: string
  readonly chainName: Chain
  readonly scheme: ThresholdSignatureScheme
  /** R1's newest signed record that this frame has seen. */
  readonly record?: string | undefined
  readonly share: KeptShare
  readonly pending?: PendingCeremony | undefined
  /** The seed, which a whole key opens and nothing less; it goes into each new backup. */
  readonly sealedSeed?: Uint8Array | undefined
  /** Backup of the current epoch that no provider has yet, encrypted under the password or recovery code. */
  readonly envelope?: Uint8Array | undefined
  /** The user got the file, and has not chosen it again yet. */
  readonly delivered?: boolean | undefined
  readonly backups: readonly KeptBackup[]
  /** P-256, not extractable. */
  readonly deviceKey: CryptoKeyPair
  /** Set until the relay has said that the wallet exists. */
  readonly creation?: PendingCreation | undefined
  readonly retired?: Retirement | undefined
  /**
   * What was kept of this set before, where it has shares that no signed record has decided about. They stay sealed and never sign;
   * a record that names a public package among them brings it back.
   */
  readonly aside?: readonly KeptSet[] | undefined
  /** ms since epoch */
  readonly createdAt: number
}

/** The owner of a sealed share. */
export function shareContext(
  environmentId: string,
  set: Pick<KeptSet, 'user' | 'walletId' | 'setId'>,
  epoch: number,
): string {
  return JSON.stringify(['keybay-share', environmentId, set.user, set.walletId, set.setId, epoch, 'C'])
}
