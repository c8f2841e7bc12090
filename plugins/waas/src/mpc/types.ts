/** The values that ceremonies produce and exchange. All bytes; a point is 32 bytes (secp256k1: 33), a scalar 32. */
import type { Party, Sharing } from './parties.js'

export type Curve = 'ed25519' | 'secp256k1'

/** Fills with fresh random bytes. Only tests and vectors replace it. */
export type RandomBytes = (length: number) => Uint8Array

/** The agreed result of a ceremony. Every message of the ceremony is bound to its hash. */
export interface SetPlan extends Sharing {
  /** Fresh for each attempt; 1 to 64 characters, like every id here. */
  readonly ceremonyId: string
  readonly walletId: string
  readonly setId: string
  /** 0 at creation; one more with each resharing of the set. */
  readonly epoch: number
  readonly curve: Curve
}

/** The public package of one sharing of the key. Shares of different sets or epochs do not combine. */
export interface ShareSet extends SetPlan {
  /** Commitments to the polynomial's coefficients, `threshold` of them; the first is the group key. */
  readonly commitments: readonly Uint8Array[]
}

/** One party's share of a set. The function that consumes it overwrites `secret` with zeros (`eraseShare`). */
export interface KeyShare {
  readonly set: ShareSet
  readonly party: Party
  /** The scalar, 32 bytes. */
  readonly secret: Uint8Array
}

/** For one party only: use `sealPrivate` where another party forwards it. */
export interface SubShare {
  readonly from: Party
  readonly to: Party
  readonly secret: Uint8Array
}

/** The result of a step: the party's own state for the next step, and the message to send. */
export interface Step<State, Message> {
  readonly state: State
  readonly message: Message
}
