/** Codecs of dealt creation and of resharing. */
import type { DealPackage } from '../deal.js'
import type { EntropyCommitment, EntropyOpening, EntropyState } from '../entropy.js'
import type { ReshareDealing, ResharePlan } from '../reshare.js'
import { SEALED_SEED_BYTES } from '../seed.js'
import type { Curve, SubShare } from '../types.js'
import type { Codec } from './codec.js'
import { subShareField } from './dkg-codecs.js'
import { curve, fixed, getPoint, list, optional, party, record } from './fields.js'
import { planField, setField } from './set-codecs.js'

export const entropyCommitment: Codec<EntropyCommitment> = {
  kind: 20,
  field: record<EntropyCommitment>({ party, hash: fixed(32) }),
}
/** Private. */
export const entropyOpening: Codec<EntropyOpening> = {
  kind: 21,
  field: record<EntropyOpening>({ party, entropy: fixed(32) }),
}
/** Holds the secret: store it sealed only. */
export const entropyState: Codec<EntropyState> = {
  kind: 22,
  field: record<EntropyState>({ plan: planField, party, entropy: fixed(32) }),
}
export const dealPackage: Codec<DealPackage> = {
  kind: 23,
  field: {
    write: (to, { set, sealedSeed }) => {
      setField.write(to, set)
      optional(fixed(SEALED_SEED_BYTES)).write(to, sealedSeed)
    },
    read: from => {
      const set = setField.read(from)
      const sealedSeed = optional(fixed(SEALED_SEED_BYTES)).read(from)
      return { set, ...(sealedSeed && { sealedSeed }) }
    },
  },
}
/** Private. A sub-share does not name its curve, which decides what is canonical, so each curve has a codec. */
export const subShare: Codec<SubShare> = { kind: 24, field: subShareField('ed25519') }
export const subShareSecp256k1: Codec<SubShare> = { kind: 25, field: subShareField('secp256k1') }

export function subShareCodec(of: Curve): Codec<SubShare> {
  return of === 'ed25519' ? subShare : subShareSecp256k1
}

export const resharePlan: Codec<ResharePlan> = {
  kind: 30,
  field: record<ResharePlan>({ from: setField, dealers: list(party), next: planField, policyHash: fixed(32) }),
}
export const reshareDealing: Codec<ReshareDealing> = {
  kind: 31,
  field: {
    write: (to, { party: dealer, curve: group, commitments }) => {
      party.write(to, dealer)
      curve.write(to, group)
      list(getPoint(group)).write(to, commitments)
    },
    read: from => {
      const dealer = party.read(from)
      const group = curve.read(from)
      return { party: dealer, curve: group, commitments: list(getPoint(group)).read(from) }
    },
  },
}
