/** Who holds a share: the roles, the three schemes, and the set of an additional holder. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'

/** C: the device. B1, B2: the backup. R1, R2: the relays. The order is that of the identifiers. */
export type Party = 'C' | 'B1' | 'B2' | 'R1' | 'R2'

/** Each role has the same identifier (x coordinate) in every set: C 1, B1 2, B2 3, R1 4, R2 5. */
export const PARTIES: readonly Party[] = ['C', 'B1', 'B2', 'R1', 'R2']

/** 1 to 5. */
export function partyNumber(party: Party): number {
  return PARTIES.indexOf(party) + 1
}

/** In the order of their identifiers, which is the order of RFC 9591's lists. */
export function sortParties(parties: readonly Party[]): readonly Party[] {
  return PARTIES.filter(party => parties.includes(party))
}

/** How a key is shared: this many of these parties can sign. */
export interface Sharing {
  readonly threshold: number
  /** In the order of `PARTIES`. */
  readonly parties: readonly Party[]
}

/** A wallet's primary set. */
export const SCHEMES: Readonly<Record<ThresholdSignatureScheme, Sharing>> = {
  TWO_OF_TWO: { threshold: 2, parties: ['C', 'R1'] },
  TWO_OF_THREE: { threshold: 2, parties: ['C', 'B1', 'R1'] },
  THREE_OF_FIVE: { threshold: 3, parties: ['C', 'B1', 'B2', 'R1', 'R2'] },
}

/** The set of a further device, another site or a delegate: all of {holder, relays} must sign. The holder is its C. */
export function additionalSharing(scheme: ThresholdSignatureScheme): Sharing {
  return scheme === 'THREE_OF_FIVE'
    ? { threshold: 3, parties: ['C', 'R1', 'R2'] }
    : { threshold: 2, parties: ['C', 'R1'] }
}
