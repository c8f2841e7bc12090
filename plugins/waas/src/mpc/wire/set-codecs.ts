/** Codecs of a set's plan and public package. */
import { additionalSharing, SCHEMES, type Sharing } from '../parties.js'
import type { KeyShare, SetPlan, ShareSet } from '../types.js'
import { malformed } from './buffers.js'
import type { Codec } from './codec.js'
import { curve, type Field, getPoint, getScalar, id, list, oneOf, party, record, u32 } from './fields.js'

/** All allowed sharings, so that a package cannot request another. */
const SHARINGS: readonly Sharing[] = [
  SCHEMES.TWO_OF_TWO,
  SCHEMES.TWO_OF_THREE,
  SCHEMES.THREE_OF_FIVE,
  additionalSharing('THREE_OF_FIVE'),
]
const sharing: Field<Sharing> = oneOf(
  SHARINGS,
  1,
  (a, b) => a.threshold === b.threshold && a.parties.join() === b.parties.join(),
)

const ids = record<Pick<SetPlan, 'ceremonyId' | 'walletId' | 'setId' | 'epoch' | 'curve'>>({
  ceremonyId: id,
  walletId: id,
  setId: id,
  epoch: u32,
  curve,
})

export const planField: Field<SetPlan> = {
  write: (to, plan) => {
    ids.write(to, plan)
    sharing.write(to, plan)
  },
  read: from => {
    const { ceremonyId, walletId, setId, epoch, curve } = ids.read(from)
    const { threshold, parties } = sharing.read(from)
    return { ceremonyId, walletId, setId, epoch, curve, threshold, parties }
  },
}

export const setField: Field<ShareSet> = {
  write: (to, set) => {
    planField.write(to, set)
    if (set.commitments.length !== set.threshold) throw malformed()
    list(getPoint(set.curve)).write(to, set.commitments)
  },
  read: from => {
    const plan = planField.read(from)
    const commitments = list(getPoint(plan.curve)).read(from)
    if (commitments.length !== plan.threshold) throw malformed()
    return { ...plan, commitments }
  },
}

export const setPlan: Codec<SetPlan> = { kind: 1, field: planField }
export const shareSet: Codec<ShareSet> = { kind: 2, field: setField }

/** Holds the secret: store it sealed only. */
export const keyShare: Codec<KeyShare> = {
  kind: 3,
  field: {
    write: (to, share) => {
      setField.write(to, share.set)
      party.write(to, share.party)
      getScalar(share.set.curve).write(to, share.secret)
    },
    read: from => {
      const set = setField.read(from)
      const holder = party.read(from)
      if (!set.parties.includes(holder)) throw malformed()
      return { set, party: holder, secret: getScalar(set.curve).read(from) }
    },
  },
}
