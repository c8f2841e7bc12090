/** Codecs of key generation: its two public messages, and its states, which hold secrets. */
import type { DkgCommitment, DkgDealt, DkgOpened, DkgOpening, DkgStarted } from '../dkg.js'
import type { SubShare } from '../types.js'
import type { Codec } from './codec.js'
import { curve, type Field, fixed, getPoint, getScalar, list, party, record } from './fields.js'
import { planField } from './set-codecs.js'

const commitmentField: Field<DkgCommitment> = record<DkgCommitment>({ party, hash: fixed(32) })

const openingField: Field<DkgOpening> = {
  write: (to, { party: from, curve: group, commitments, proof }) => {
    party.write(to, from)
    curve.write(to, group)
    list(getPoint(group)).write(to, commitments)
    getProof(group).write(to, proof)
  },
  read: from => {
    const dealer = party.read(from)
    const group = curve.read(from)
    const commitments = list(getPoint(group)).read(from)
    return { party: dealer, curve: group, commitments, proof: getProof(group).read(from) }
  },
}
/** R and z. The verifier of the proof checks R. */
function getProof(group: DkgOpening['curve']): Field<Uint8Array> {
  return fixed(group === 'ed25519' ? 64 : 65)
}

/** The curve comes before the scalar, because it decides what is canonical. */
export function subShareField(group: DkgOpening['curve']): Field<SubShare> {
  return record<SubShare>({ from: party, to: party, secret: getScalar(group) })
}

const startedFields: Field<DkgStarted> = {
  write: (to, { plan, opening, subShares }) => {
    planField.write(to, plan)
    openingField.write(to, opening)
    list(subShareField(plan.curve)).write(to, subShares)
  },
  read: from => {
    const plan = planField.read(from)
    return { plan, opening: openingField.read(from), subShares: list(subShareField(plan.curve)).read(from) }
  },
}

function extended<Rest extends object>(rest: Field<Rest>): Field<DkgStarted & Rest> {
  return {
    write: (to, state) => {
      startedFields.write(to, state)
      rest.write(to, state)
    },
    read: from => ({ ...startedFields.read(from), ...rest.read(from) }),
  }
}

export const dkgCommitment: Codec<DkgCommitment> = { kind: 10, field: commitmentField }
export const dkgOpening: Codec<DkgOpening> = { kind: 11, field: openingField }
export const dkgStarted: Codec<DkgStarted> = { kind: 12, field: startedFields }
export const dkgOpened: Codec<DkgOpened> = {
  kind: 13,
  field: extended(record<Pick<DkgOpened, 'others'>>({ others: list(commitmentField) })),
}
export const dkgDealt: Codec<DkgDealt> = {
  kind: 14,
  field: extended(record<Pick<DkgDealt, 'openings'>>({ openings: list(openingField) })),
}
