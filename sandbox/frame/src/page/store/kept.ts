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
  /** Epoch of the backup's share. A backup of an older epoch restores nothing. */
  readonly epoch: number
  /** ms since epoch */
  readonly at: number
}
/** Ceremony that is stored but not committed. The old share signs until the relay's record confirms the commit. */
export interface PendingCeremony {
  readonly ceremonyId: string
  readonly operation: 'refreshWalletAccountShares' | 'reshare'
  readonly scheme: ThresholdSignatureScheme
  /** Target of the new backup; undefined: it stays in this browser. */
  readonly place?: BackupProvider | undefined
  readonly share: KeptShare
  /** Transcript that all parties have seen: 32 bytes, base64url. */
  readonly transcript: string
  /** `ShareProof`s of the frame's new parties, made while their shares were in memory. */
  readonly proofs: readonly string[]
  /** New backup shares, encrypted. Undefined if the new scheme has no backup. */
  readonly envelope?: Uint8Array | undefined
  /** New backup, once verified. */
  readonly backup?: KeptBackup | undefined
  /** Time when the relay drops the ceremony, in ms since epoch. */
  readonly expiresAt: number
  /**
   * True after an unsigned error refused the commit for good. The next attempt deals again; this share stays until a
   * record decides.
   */
  readonly ended?: boolean | undefined
}
/** Retirement of a set that no longer signs in this browser. Its share stays sealed. */
export interface Retirement {
  /** `revoked`: by a signed record. `ended`: its creation was refused, or another ceremony made its epoch. */
  readonly reason: 'revoked' | 'ended'
  /** Time of the last count by this browser's clock, in ms since epoch. */
  readonly seenAt: number
  /** Time since the retirement that this browser has counted, in ms. */
  readonly countedMs: number
}
/** Creation whose last message was not sent or got no response, so the wallet may or may not exist at the relay. */
export interface PendingCreation {
  /** Idempotency key. The same request in the visible frame continues this creation. */
  readonly key?: string | undefined
  readonly operation: 'createWalletAccount' | 'importPrivateKey' | 'addDevice' | 'restoreBackup'
  /** Target of a new wallet's backup; undefined: it stays in this browser. */
  readonly place?: BackupProvider | undefined
  readonly path: string
  readonly body: object
  /** Time when the relay drops the ceremony, in ms since epoch. */
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
  /** Newest signed record of R1 that this frame has seen. */
  readonly record?: string | undefined
  readonly share: KeptShare
  readonly pending?: PendingCeremony | undefined
  /** Sealed seed, which only the whole key can open. It goes into each new backup. */
  readonly sealedSeed?: Uint8Array | undefined
  /** Backup of the current epoch that no provider has yet, encrypted under the password or recovery code. */
  readonly envelope?: Uint8Array | undefined
  /** True if the user got the file and has not chosen it again yet. */
  readonly delivered?: boolean | undefined
  readonly backups: readonly KeptBackup[]
  /** Device key: P-256, not extractable. */
  readonly deviceKey: CryptoKeyPair
  /** Set until the relay confirms that the wallet exists. */
  readonly creation?: PendingCreation | undefined
  readonly retired?: Retirement | undefined
  /**
   * Earlier versions of this set with shares that no signed record has settled. They stay sealed and never sign, until
   * a record that names one of their public packages restores it.
   */
  readonly aside?: readonly KeptSet[] | undefined
  /** ms since epoch */
  readonly createdAt: number
}

/** Returns the context that binds a sealed share to its owner. */
export function shareContext(environmentId: string, set: Pick<KeptSet, 'user' | 'walletId' | 'setId'>, epoch: number) {
  return JSON.stringify(['keybay-share', environmentId, set.user, set.walletId, set.setId, epoch, 'C'])
}
