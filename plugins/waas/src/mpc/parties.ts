/** Holders of shares: the roles, the three schemes, and the set of an additional holder. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'

/** C: the device. B1, B2: the backup. R1, R2: the relays. In the order of the identifiers. */
export type Party = 'C' | 'B1' | 'B2' | 'R1' | 'R2'

/** Each role has the same identifier (x coordinate) in every set: C 1, B1 2, B2 3, R1 4, R2 5. */
export const PARTIES: readonly Party[] = ['C', 'B1', 'B2', 'R1', 'R2']

/** 1 to 5. */
export function partyNumber(party: Party): number {
  return PARTIES.indexOf(party) + 1
}

/** Sorts by identifier, which is the order of RFC 9591's lists. */
export function sortParties(parties: readonly Party[]): readonly Party[] {
  return PARTIES.filter(party => parties.includes(party))
}

/** A threshold and the parties: this many of these parties can sign. */
export interface Sharing {
  readonly threshold: number
  /** In the order of `PARTIES`. */
  readonly parties: readonly Party[]
}

/** The primary set of a wallet. */
export const SCHEMES: Readonly<Record<ThresholdSignatureScheme, Sharing>> = {
  TWO_OF_TWO: { threshold: 2, parties: ['C', 'R1'] },
  TWO_OF_THREE: { threshold: 2, parties: ['C', 'B1', 'R1'] },
  THREE_OF_FIVE: { threshold: 3, parties: ['C', 'B1', 'B2', 'R1', 'R2'] },
}

/**
 * The set of a further device, another site or a delegate: all of {holder, relays} must sign. The holder is its C.
 * @param withR2 true for a delegate where R2 exists. One operator may run delegate and R1, which must not have the key
 */
export function additionalSharing(scheme: ThresholdSignatureScheme, withR2 = false): Sharing {
  return withR2 || scheme === 'THREE_OF_FIVE'
    ? { threshold: 3, parties: ['C', 'R1', 'R2'] }
    : { threshold: 2, parties: ['C', 'R1'] }
}
