/** Records of share sets in IndexedDB. Secrets are in `sealed` only. */
import type { BackupProvider, Chain, ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { HeldCeremony, HeldSet, HeldShare } from '@keybay/waas/mpc/lifecycle'
import type { BackupAccount } from '../backup/store.js'
import type { Sealed } from './seal.js'

/** A device share, C, of one epoch. */
export interface KeptShare extends HeldShare {
  readonly sealed: Sealed
}
/** Account that gets a wallet's backups, and the key that names it in R1's record. */
export interface KeptAccount {
  /** Random key of the hash in the record: 32 bytes. */
  readonly key: Uint8Array
  /** Account that the user agreed to in this browser. */
  readonly account?: (BackupAccount & Pick<KeptBackup, 'provider'>) | undefined
  /** The key, sealed for the holder of the backup of this public package. */
  readonly sealed?: { readonly pub: string; readonly key: string } | undefined
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
export interface PendingCeremony extends HeldCeremony {
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
  /** New backup, once verified. */
  readonly backup?: KeptBackup | undefined
  /** Time when the relay drops the ceremony, in ms since epoch. */
  readonly expiresAt: number
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
export interface KeptSet extends HeldSet<KeptSet> {
  readonly user: string
  readonly chainName: Chain
  readonly scheme: ThresholdSignatureScheme
  readonly share: KeptShare
  readonly pending?: PendingCeremony | undefined
  /** Sealed seed, which only the whole key can open. It goes into each new backup. */
  readonly sealedSeed?: Uint8Array | undefined
  readonly backups: readonly KeptBackup[]
  /** Device key: P-256, not extractable. */
  readonly deviceKey: CryptoKeyPair
  /** Set until the relay confirms that the wallet exists. */
  readonly creation?: PendingCreation | undefined
  /** ms since epoch */
  readonly createdAt: number
}

/** Returns the context that binds a sealed share to its owner. */
export function shareContext(environmentId: string, set: Pick<KeptSet, 'user' | 'walletId' | 'setId'>, epoch: number) {
  return JSON.stringify(['keybay-share', environmentId, set.user, set.walletId, set.setId, epoch, 'C'])
}
