/** What the ceremonies produce and pass on. All bytes; a point is 32 bytes (secp256k1: 33), a scalar 32. */
import type { Party, Sharing } from './parties.js'

export type Curve = 'ed25519' | 'secp256k1'

/** Fills with fresh random bytes. Only tests and vectors replace it. */
export type RandomBytes = (length: number) => Uint8Array

/** What a ceremony is to make, agreed before it starts. Every message of the ceremony is bound to its hash. */
export interface SetPlan extends Sharing {
  /** Fresh for each attempt; 1 to 64 characters, like every id here. */
  readonly ceremonyId: string
  readonly walletId: string
  readonly setId: string
  /** 0 at creation; one more with each resharing of the set. */
  readonly epoch: number
  readonly curve: Curve
}

/** One dealing of the key, public. Shares of different sets or epochs do not combine. */
export interface ShareSet extends SetPlan {
  /** Commitments to the polynomial's coefficients, `threshold` of them; the first is the group key. */
  readonly commitments: readonly Uint8Array[]
}

/** One party's share of a set. `secret` is overwritten with zeros by what consumes it (`eraseShare`). */
export interface KeyShare {
  readonly set: ShareSet
  readonly party: Party
  /** The scalar, 32 bytes. */
  readonly secret: Uint8Array
}

/** Goes from one party to another and to nobody else: `sealPrivate` it where anybody forwards it. */
export interface SubShare {
  readonly from: Party
  readonly to: Party
  readonly secret: Uint8Array
}

/** What a step hands on: the party's own state for the next step, and what to send. */
export interface Step<State, Message> {
  readonly state: State
  readonly message: Message
}
