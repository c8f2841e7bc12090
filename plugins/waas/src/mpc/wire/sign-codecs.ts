/** Codecs of signing. A co-signer and a frame signer check every point themselves, so `anyPoint` may read these. */
import type { SignAnswer } from '../sign/co-signer.js'
import type { SignCommitment } from '../sign/frost.js'
import type { TaprootCommitment } from '../taproot.js'
import type { PointCheck } from './buffers.js'
import type { Codec } from './codec.js'
import { type Field, getPoint, getScalar, list, party, record } from './fields.js'

/** Leaves the check to the signer, which must check each point: a check costs half a millisecond. */
export const anyPoint: PointCheck = () => {}

const commitmentField: Field<SignCommitment> = record<SignCommitment>({
  party,
  hiding: getPoint('ed25519'),
  binding: getPoint('ed25519'),
})

export const signCommitment: Codec<SignCommitment> = { kind: 40, field: commitmentField }
/** The package from R1 to R2. */
export const signCommitments: Codec<readonly SignCommitment[]> = { kind: 41, field: list(commitmentField) }
export const signAnswer: Codec<SignAnswer> = {
  kind: 42,
  field: record<SignAnswer>({ commitment: commitmentField, signatureShare: getScalar('ed25519') }),
}
export const signAnswers: Codec<readonly SignAnswer[]> = { kind: 43, field: list(signAnswer.field) }
export const taprootCommitment: Codec<TaprootCommitment> = {
  kind: 44,
  field: record<TaprootCommitment>({ party, hiding: getPoint('secp256k1'), binding: getPoint('secp256k1') }),
}
