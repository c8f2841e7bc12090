/** What page and frame say of a wallet. Types only. Nothing here is secret. */
import type { BackupProvider, Chain, ThresholdSignatureScheme } from '@keybay/kernel/spec'

/** One dealing of the key: the primary one, or one for a further device or a delegate. */
export interface ShareSet {
  readonly setId: string
  readonly kind: 'primary' | 'device' | 'delegate'
  /** ms since epoch */
  readonly createdAt: number
  readonly revoked: boolean
  /** Whether this frame holds its device share. */
  readonly here: boolean
  /** Of a further device or a delegate. */
  readonly name?: string | undefined
  /** This browser keeps a sealed share of it that no longer signs. `revokeSet` erases it, once the user agreed. */
  readonly kept?: boolean | undefined
  /** Its own rules; absent: the environment's default. */
  readonly policy?: Policy | undefined
}
export interface BackupStatus {
  /**
   * `current`: this browser has read it back and opened it. `stale`: made before the last refresh or reshare, so it no longer
   * restores. `unverified`: there may be one, or a newer one, made by another device; `verifyBackup` tells.
   */
  readonly state: 'none' | 'current' | 'stale' | 'unverified'
  readonly providers: readonly BackupProvider[]
  /** ms since epoch */
  readonly backedUpAt?: number | undefined
}
/**
 * Deny what is not listed. Amounts are in the chain's smallest unit (lamports).
 *
 * @example { dailyLimit: 1_000_000_000n, programs: [{ programId: '11111111111111111111111111111111', instructions: ['02000000'] }] }
 */
export interface Policy {
  /** In 24 hours, fees included. Absent: none. */
  readonly dailyLimit?: bigint | undefined
  /** In one transaction, fees included. Absent: none. */
  readonly transactionLimit?: bigint | undefined
  readonly programs: readonly ProgramRule[]
  /** Who may be paid. Absent: everybody. */
  readonly destinations?: readonly string[] | undefined
  /** Whether plain messages may be signed. */
  readonly messages: boolean
  /** ms since epoch; after that nothing is allowed. */
  readonly expiresAt?: number | undefined
}
export interface ProgramRule {
  readonly programId: string
  /** The first bytes of the instruction's data, hex. Absent: all of them. */
  readonly instructions?: readonly string[] | undefined
  /** It may move more than can be counted, since it may call other programs; without this such a program is refused. */
  readonly uncapped?: boolean | undefined
}
export interface WaasWallet {
  readonly walletId: string
  readonly accountAddress: string
  readonly chainName: Chain
  readonly publicKey: Uint8Array
  readonly thresholdSignatureScheme: ThresholdSignatureScheme
  /** Of the primary set. */
  readonly setId: string
  readonly epoch: number
  /** `reconstructed`: the key is whole in the frame for the moment of each signature. */
  readonly signing: 'threshold' | 'reconstructed'
  readonly origin: 'seed' | 'dkg' | 'imported'
  readonly exportable: boolean
  /** The key has been seen whole: its policies are advisory. */
  readonly exported: boolean
  /** Whether this frame can sign for it; if not: restore, or add this device. */
  readonly here: boolean
  readonly passwordEncrypted: boolean
  readonly backup: BackupStatus
  readonly sets: readonly ShareSet[]
  readonly policy?: Policy | undefined
  /** ms since epoch */
  readonly createdAt: number
}
/** Where a backup goes or is. Access to the user's drive is asked for by the frame, and never crosses the port. */
export interface BackupTarget {
  readonly provider: BackupProvider
  /** Seals it; else a recovery code does, which the frame shows once. */
  readonly password?: string | undefined
  /** Of `dynamic`: a passkey that the user makes in the wallet's window locks it, in place of a recovery code. */
  readonly passkey?: boolean | undefined
  /** Of `external`: who keeps it. Default: the page's functions where it has some (`waas({ external })`), else a file. */
  readonly keeper?: 'host' | 'file' | undefined
  /** Of `external`: the envelope that the user, or the host's own storage, brings. */
  readonly envelope?: Uint8Array | undefined
}
export interface BackupReceipt {
  readonly provider: BackupProvider
  readonly epoch: number
  /** ms since epoch */
  readonly backedUpAt: number
  /** Of `external`: what to keep. It is encrypted. */
  readonly envelope?: Uint8Array | undefined
}
/** How far a long operation is. */
export interface Progress {
  /** e.g. `deal`, `confirm`, `backup`, `commit` */
  readonly step: string
  /** 1 is the first. */
  readonly number: number
  readonly of: number
  /** Of the step `grant`: the provider's page, which the kit opens. The frame waits for what comes back. */
  readonly url?: string | undefined
  /** Of the step `external`: what the page's own storage is asked. The frame waits for `externalBackup`. */
  readonly external?: ExternalQuestion | undefined
}
/** A backup as the page's own storage knows it: one for each wallet and epoch. */
export interface ExternalName {
  readonly walletId: string
  /** Goes up with each refresh. An older one restores nothing once the newer one is in force. */
  readonly epoch: number
}
/** What is known of one that is to be kept. */
export interface ExternalAbout extends ExternalName {
  readonly accountAddress: string
  /** For a user who looks for it. */
  readonly fileName: string
}
export interface ExternalQuestion extends ExternalName {
  /** The answer repeats it. */
  readonly request: string
  readonly action: 'save' | 'load' | 'erase'
  /** Of `save`, as the next two. */
  readonly accountAddress?: string | undefined
  readonly fileName?: string | undefined
  /** Sealed. */
  readonly envelope?: Uint8Array | undefined
}
