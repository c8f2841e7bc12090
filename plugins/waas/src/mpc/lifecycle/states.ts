/** States and facts of the lifecycle of share sets. The frame, R1 and R2 decide by them; nothing here does I/O. */
import type { SetKind } from './relay.js'

/**
 * State of one epoch of a share set at one party.
 *
 * - `dealt`: the party has its share, and the ceremony can still end without it.
 * - `pending`: every party proved its share and the backup was read back; the share waits for the signed record.
 * - `active`: the newest signed record names it, so it signs.
 * - `superseded`: the record names another epoch of the set.
 * - `revoked`: a record revoked the set.
 * - `frozen`: the party found that it is behind its peer, and signs nothing.
 * - `lost`: the party no longer has the share.
 */
export type SetState = 'dealt' | 'pending' | 'active' | 'superseded' | 'revoked' | 'frozen' | 'lost'

/** A device share of one epoch, as far as the frame's rules need it. */
export interface HeldShare {
  readonly epoch: number
  /** Public `ShareSet` by the mpc codec. */
  readonly set: Uint8Array
}

/** Ceremony that is stored but not committed. */
export interface HeldCeremony {
  readonly scheme: string
  readonly share: HeldShare
  /** New backup shares, encrypted. */
  readonly envelope?: Uint8Array | undefined
  /** New backup, once read back. */
  readonly backup?: object | undefined
  /** True after an unsigned error refused the commit for good. */
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

/** A share set in a frame. `Kept` is the frame's own type, which may have more properties. */
export interface HeldSet<Kept> {
  readonly walletId: string
  readonly setId: string
  readonly kind: SetKind
  readonly address: string
  readonly scheme: string
  /** Newest signed record of R1 that this frame has seen. */
  readonly record?: string | undefined
  readonly share: HeldShare
  readonly pending?: HeldCeremony | undefined
  /** Backup of the current epoch that no provider has yet, encrypted under the password or recovery code. */
  readonly envelope?: Uint8Array | undefined
  /** True if the user got the file and has not chosen it again yet. */
  readonly delivered?: boolean | undefined
  readonly backups: readonly object[]
  /** Set until the relay confirms that the wallet exists. */
  readonly creation?: { readonly expiresAt: number } | undefined
  readonly retired?: Retirement | undefined
  /**
   * Earlier versions of this set with shares that no signed record has settled. They stay sealed and never sign, until
   * a record that names one of their public packages restores it.
   */
  readonly aside?: readonly Kept[] | undefined
}
