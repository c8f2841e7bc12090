/**
 * Distributed key generation: each party deals a random secret, and the key is their sum, which never exists whole. All
 * parties commit to the hash of their opening before any opening is known, so that no party chooses its own by the
 * others'. Each proves that it knows its secret.
 */
import { equalBytes } from '@keybay/kernel/spec'
import { digest, erase } from './bytes.js'
import { commitmentBroken, fault, groupKeyChanged, type MpcStep, orFault, planInvalid, proofInvalid } from './errors.js'
import { getGroup } from './group.js'
import type { Party } from './parties.js'
import { addCommitments, addScalars, checkCommitments, checkSubShare, shareOut } from './polynomial.js'
import { oneFromEach, planHash } from './set.js'
import type { KeyShare, SetPlan, Step, SubShare } from './types.js'
import { encode } from './wire/codec.js'
import { dkgOpening } from './wire/dkg-codecs.js'

export interface DkgCommitment {
  readonly party: Party
  /** Hash of the coming opening, 32 bytes. */
  readonly hash: Uint8Array
}
export interface DkgOpening {
  readonly party: Party
  readonly curve: SetPlan['curve']
  readonly commitments: readonly Uint8Array[]
  /** A Schnorr signature by the dealt secret over plan, party and commitments. */
  readonly proof: Uint8Array
}
/** Secret: holds the polynomial that this party deals. */
export interface DkgStarted {
  readonly plan: SetPlan
  readonly opening: DkgOpening
  readonly subShares: readonly SubShare[]
}
export interface DkgOpened extends DkgStarted {
  readonly others: readonly DkgCommitment[]
}
export interface DkgDealt extends DkgStarted {
  /** The commitments of all parties, in their order. */
  readonly openings: readonly DkgOpening[]
}
/** A new share, and the transcript that all parties must agree on before it is used. */
export interface Outcome {
  readonly share: KeyShare
  readonly transcript: Uint8Array
}

/** Step 1 of 4. Send the commitment to all. @throws `mpc_plan_invalid` for a party outside the plan. */
export function dkgStart(plan: SetPlan, party: Party): Step<DkgStarted, DkgCommitment> {
  if (!plan.parties.includes(party)) throw fault(planInvalid, 'plan', party)
  const { randomScalar, sign } = getGroup(plan.curve)
  const secret = randomScalar()
  const { commitments, subShares } = shareOut(plan, party, secret)
  const proof = sign(proofMessage(plan, party, commitments), secret)
  erase(secret)
  const opening: DkgOpening = { party, curve: plan.curve, commitments, proof }
  return { state: { plan, opening, subShares }, message: { party, hash: openingHash(plan, opening) } }
}

/** Step 2, with all commitments, its own included. Send the opening to all. */
export function dkgOpen(
  { plan, opening, subShares }: DkgStarted,
  commitments: readonly DkgCommitment[],
): Step<DkgOpened, DkgOpening> {
  const others = oneFromEach(plan.parties, commitments, ({ party }) => party, 'dkg-open')
  checkOpening(plan, others, opening, 'dkg-open')
  return { state: { plan, opening, subShares, others }, message: opening }
}

/** Step 3, with all openings. Send each sub-share privately. @throws `mpc_commitment_broken`, … naming the party */
export function dkgDeal(
  { plan, opening: ownOpening, subShares, others }: DkgOpened,
  receivedOpenings: readonly DkgOpening[],
): Step<DkgDealt, readonly SubShare[]> {
  const openings = oneFromEach(plan.parties, receivedOpenings, ({ party }) => party, 'dkg-deal')
  for (const opening of openings) {
    checkOpening(plan, others, opening, 'dkg-deal')
    checkCommitments(plan, opening.commitments, 'dkg-deal', opening.party)
    checkProof(plan, opening)
  }
  const message = subShares.filter(({ to }) => to !== ownOpening.party)
  return { state: { plan, opening: ownOpening, subShares, openings }, message }
}

/**
 * Step 4, with the sub-shares that the others sent to this party. Compare the transcript with all parties before the
 * share is used. Erases what this party dealt, so send it first (or keep a copy until it is delivered).
 * @throws `mpc_share_invalid` naming the dealer.
 */
export function dkgFinish({ plan, opening, subShares, openings }: DkgDealt, received: readonly SubShare[]): Outcome {
  const ownSubShare = subShares.filter(({ to }) => to === opening.party)
  const all = oneFromEach(plan.parties, [...received, ...ownSubShare], ({ from }) => from, 'dkg-finish')
  for (const [i, { commitments }] of openings.entries()) {
    const subShare = all[i]
    if (!subShare) throw fault(planInvalid, 'dkg-finish')
    checkSubShare(plan, commitments, { ...subShare, to: opening.party }, 'dkg-finish')
  }
  const commitments = addCommitments(
    plan,
    openings.map(opening => opening.commitments),
  )
  for (const point of commitments) orFault(() => getGroup(plan.curve).check(point), groupKeyChanged, 'dkg-finish')
  const secret = addScalars(
    plan.curve,
    all.map(subShare => subShare.secret),
  )
  erase(...subShares.map(subShare => subShare.secret), ...received.map(subShare => subShare.secret))
  const transcript = digest('dkg transcript', planHash(plan), ...openings.map(opening => encode(dkgOpening, opening)))
  return { share: { set: { ...plan, commitments }, party: opening.party, secret }, transcript }
}

/** Returns the hash that a commitment holds. */
export function openingHash(plan: SetPlan, opening: DkgOpening): Uint8Array {
  return digest('dkg opening', planHash(plan), encode(dkgOpening, opening))
}

function proofMessage(plan: SetPlan, party: Party, commitments: readonly Uint8Array[]): Uint8Array {
  return digest(`dkg proof ${party}`, planHash(plan), ...commitments)
}

function checkOpening(plan: SetPlan, all: readonly DkgCommitment[], opening: DkgOpening, step: MpcStep): void {
  const { party } = opening
  const committed = all.find(commitment => commitment.party === party)
  if (!committed || !equalBytes(committed.hash, openingHash(plan, opening))) throw fault(commitmentBroken, step, party)
}

function checkProof(plan: SetPlan, { party, commitments, proof }: DkgOpening): void {
  const [key] = commitments
  const { verify } = getGroup(plan.curve)
  const message = proofMessage(plan, party, commitments)
  const valid = orFault(() => key !== undefined && verify(proof, message, key), proofInvalid, 'dkg-deal', party)
  if (!valid) throw fault(proofInvalid, 'dkg-deal', party)
}
