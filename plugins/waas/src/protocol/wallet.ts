/** Wallets as page and frame describe them. Types only. Nothing here is secret. */
import type { BackupProvider, Chain, ThresholdSignatureScheme } from '@keybay/kernel/spec'

/** One set of shares of the key: the primary set, or a set for a further device or a delegate. */
export interface ShareSet {
  readonly setId: string
  readonly kind: 'primary' | 'device' | 'delegate'
  /** ms since epoch */
  readonly createdAt: number
  readonly revoked: boolean
  /** True if this frame holds the device share of the set. */
  readonly here: boolean
  /** The name of the device or delegate. */
  readonly name?: string | undefined
  /** True if this browser keeps a sealed share that no longer signs. `revokeSet` erases it with the user's consent. */
  readonly kept?: boolean | undefined
  /** The rules of the set. Absent: the wallet asks before each signature. */
  readonly policy?: Policy | undefined
}
export interface BackupStatus {
  /** `current`: read back and opened here. `stale`: of an older epoch, restores nothing. `unverified`: see `verifyBackup`. */
  readonly state: 'none' | 'current' | 'stale' | 'unverified'
  readonly providers: readonly BackupProvider[]
  /** ms since epoch */
  readonly backedUpAt?: number | undefined
}
/**
 * Rules for signing; everything else is denied. Amounts are in the chain's smallest unit (lamports).
 * @example { dailyLimit: 1_000_000_000n, programs: [{ programId: '11111111111111111111111111111111', instructions: ['02000000'] }] }
 */
export interface Policy {
  /** Per 24 hours, fees included. Absent: no limit. */
  readonly dailyLimit?: bigint | undefined
  /** Per transaction, fees included. Absent: no limit. */
  readonly transactionLimit?: bigint | undefined
  readonly programs: readonly ProgramRule[]
  /** Allowed recipients. Absent: all. */
  readonly destinations?: readonly string[] | undefined
  /** True: plain messages may be signed. */
  readonly messages: boolean
  /** ms since epoch; nothing is allowed afterwards. */
  readonly expiresAt?: number | undefined
  /** Treatment of everything else. Absent: it is refused. `ask`: the wallet asks, and the policy covers transfers only. */
  readonly otherwise?: 'ask' | undefined
  /** With `otherwise`: the only origin whose transfers are not asked about. */
  readonly origin?: string | undefined
  /** With `otherwise`: the only tokens whose transfers are not asked about. */
  readonly tokens?: readonly TokenRule[] | undefined
}
export interface TokenRule {
  readonly mint: string
  /** Decimals of the token, which the relays compare with its mint. */
  readonly decimals: number
  /** Per 24 hours, in the token's smallest unit. */
  readonly dailyLimit: bigint
}
export interface ProgramRule {
  readonly programId: string
  /** First bytes of the instruction's data, in hex. Absent: all instructions. */
  readonly instructions?: readonly string[] | undefined
  /** The program may call others and so move more than can be counted. Without this it is refused. */
  readonly uncapped?: boolean | undefined
}
export interface WaasWallet {
  readonly walletId: string
  readonly accountAddress: string
  readonly chainName: Chain
  readonly publicKey: Uint8Array
  readonly thresholdSignatureScheme: ThresholdSignatureScheme
  /** The primary set. */
  readonly setId: string
  readonly epoch: number
  /** `reconstructed`: the frame combines the key for the moment of each signature. */
  readonly signing: 'threshold' | 'reconstructed'
  readonly origin: 'seed' | 'dkg' | 'imported'
  readonly exportable: boolean
  /** True: the key has existed whole, so its policies are advisory. */
  readonly exported: boolean
  /** True if this frame can sign for the wallet. Otherwise restore it, or add this device. */
  readonly here: boolean
  readonly passwordEncrypted: boolean
  readonly backup: BackupStatus
  readonly sets: readonly ShareSet[]
  readonly policy?: Policy | undefined
  /** ms since epoch */
  readonly createdAt: number
}
/** The place of a backup. The frame requests access to the user's drive, and the grant never crosses the port. */
export interface BackupTarget {
  readonly provider: BackupProvider
  /** Encrypts the backup. Without it, a recovery code does, which the frame shows once. */
  readonly password?: string | undefined
  /** For `dynamic`: a passkey made in the wallet's window encrypts the backup, in place of a recovery code. */
  readonly passkey?: boolean | undefined
  /** For `external`: who stores it. Default: the app's functions (`waas({ external })`), or a file if it has none. */
  readonly keeper?: 'host' | 'file' | undefined
  /** For `external`: the envelope, from the user or from the app's storage. */
  readonly envelope?: Uint8Array | undefined
}
export interface BackupReceipt {
  readonly provider: BackupProvider
  readonly epoch: number
  /** ms since epoch */
  readonly backedUpAt: number
  /** For `external`: the encrypted envelope to store. */
  readonly envelope?: Uint8Array | undefined
}
/** Progress of a long operation. */
export interface Progress {
  /** e.g. `deal`, `confirm`, `backup`, `commit`; `granted` once the user has granted transfers */
  readonly step: string
  /** Counts from 1. */
  readonly number: number
  readonly of: number
  /** For the step `grant`: the provider's page, which the kit opens. The frame waits for the grant. */
  readonly url?: string | undefined
  /** For the step `external`: the request to the app's storage. The frame waits for `externalBackup`. */
  readonly external?: ExternalQuestion | undefined
  /** For the step `relay`: a request to the relay that has ended. */
  readonly relay?: RelayRound | undefined
  /** For the step `window`: the height of the visible frame's content, in CSS pixels. */
  readonly height?: number | undefined
}
/** One request to the relay, without its content. */
export interface RelayRound {
  /** Path below the environment, e.g. `/wallets/list`. */
  readonly path: string
  readonly ms: number
  /** HTTP status; undefined without a response. */
  readonly status?: number | undefined
}
/** The name of a backup in the app's storage. */
export interface ExternalName {
  readonly walletId: string
  /** Rises with each refresh. An older backup restores nothing once a newer one is in force. */
  readonly epoch: number
  /** Names the shares, base64url. Store under it: two browsers can make backups of one epoch, and only one counts. */
  readonly id: string
}
/** Describes a backup to store. */
export interface ExternalAbout extends ExternalName {
  readonly accountAddress: string
  /** A name that helps the user find it. */
  readonly fileName: string
}
export interface ExternalQuestion extends ExternalName {
  /** The reply repeats it. */
  readonly request: string
  readonly action: 'save' | 'load' | 'erase'
  /** For `save`, like the next two. */
  readonly accountAddress?: string | undefined
  readonly fileName?: string | undefined
  readonly envelope?: Uint8Array | undefined
}
