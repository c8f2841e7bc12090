/**
 * A key that is never whole anywhere: each party deals a random secret, and the key is their sum. The hash of everyone's
 * opening is known before anyone's opening is, so that nobody can choose theirs by the others'; each proves that it knows its secret.
 */
import { equalBytes } from '@keybay/kernel/spec'
import { digest, erase } from './bytes.js'
import { commitmentBroken, fault, groupKeyChanged, type MpcStep, orFault, planInvalid, proofInvalid } from './errors.js'
import { groupOf } from './group.js'
import type { Party } from './parties.js'
import { addCommitments, addScalars, asRng, checkCommitments, checkSubShare, shareOut } from './polynomial.js'
import { oneFromEach, planHash } from './set.js'
import type { KeyShare, RandomBytes, SetPlan, Step, SubShare } from './types.js'
import { encode } from './wire/codec.js'
import { dkgOpening } from './wire/dkg-codecs.js'

export interface DkgCommitment {
  readonly party: Party
  /** Of the opening to come, 32 bytes. */
  readonly hash: Uint8Array
}
export interface DkgOpening {
  readonly party: Party
  readonly curve: SetPlan['curve']
  readonly commitments: readonly Uint8Array[]
  /** A Schnorr signature by the dealt secret over plan, party and commitments. */
  readonly proof: Uint8Array
}
/** Secret: holds what this party deals. */
export interface DkgStarted {
  readonly plan: SetPlan
  readonly opening: DkgOpening
  readonly subShares: readonly SubShare[]
}
export interface DkgOpened extends DkgStarted {
  readonly others: readonly DkgCommitment[]
}
export interface DkgDealt extends DkgStarted {
  /** Of all parties, in their order. */
  readonly openings: readonly DkgOpening[]
}
/** A new share, and what all parties must agree on before it is used. */
export interface Outcome {
  readonly share: KeyShare
  readonly transcript: Uint8Array
}

/** Step 1 of 4. Send the commitment to all. @throws `mpc_plan_invalid` when the party is not of the plan. */
export function dkgStart(plan: SetPlan, party: Party, random?: RandomBytes): Step<DkgStarted, DkgCommitment> {
  if (!plan.parties.includes(party)) throw fault(planInvalid, 'plan', party)
  const { frost } = groupOf(plan.curve)
  const secret = frost.utils.randomScalar(asRng(random))
  const { commitments, subShares } = shareOut(plan, party, secret, random)
  const proof = frost.sign(proofMessage(plan, party, commitments), secret)
  erase(secret)
  const opening: DkgOpening = { party, curve: plan.curve, commitments, proof }
  return { state: { plan, opening, subShares }, message: { party, hash: openingHash(plan, opening) } }
}

/** Step 2, when everybody's commitment is there (one's own included). Send the opening to all. */
export function dkgOpen(
  { plan, opening, subShares }: DkgStarted,
  commitments: readonly DkgCommitment[],
): Step<DkgOpened, DkgOpening> {
  const others = oneFromEach(plan.parties, commitments, ({ party }) => party, 'dkg-open')
  checkOpening(plan, others, opening, 'dkg-open')
  return { state: { plan, opening, subShares, others }, message: opening }
}

/**
 * Step 3, when everybody's opening is there. Send each sub-share to its party, privately.
 * @throws `mpc_commitment_broken`, `mpc_degree_wrong`, `mpc_point_invalid` or `mpc_proof_invalid`, naming the party.
 */
export function dkgDeal(
  { plan, opening: own, subShares, others }: DkgOpened,
  given: readonly DkgOpening[],
): Step<DkgDealt, readonly SubShare[]> {
  const openings = oneFromEach(plan.parties, given, ({ party }) => party, 'dkg-deal')
  for (const opening of openings) {
    checkOpening(plan, others, opening, 'dkg-deal')
    checkCommitments(plan, opening.commitments, 'dkg-deal', opening.party)
    checkProof(plan, opening)
  }
  const message = subShares.filter(({ to }) => to !== own.party)
  return { state: { plan, opening: own, subShares, openings }, message }
}

/**
 * Step 4, with the sub-shares that the others sent to this party. Compare the transcript with everybody's before the share is used.
 * What this party dealt is erased, so send it first (or keep a copy until it is delivered).
 * @throws `mpc_share_invalid` naming the dealer.
 */
export function dkgFinish({ plan, opening, subShares, openings }: DkgDealt, received: readonly SubShare[]): Outcome {
  const own = subShares.filter(({ to }) => to === opening.party)
  const all = oneFromEach(plan.parties, [...received, ...own], ({ from }) => from, 'dkg-finish')
  for (const [i, { commitments }] of openings.entries()) {
    const subShare = all[i]
    if (!subShare) throw fault(planInvalid, 'dkg-finish')
    checkSubShare(plan, commitments, { ...subShare, to: opening.party }, 'dkg-finish')
  }
  const commitments = addCommitments(
    plan,
    openings.map(one => one.commitments),
  )
  for (const point of commitments) orFault(() => groupOf(plan.curve).check(point), groupKeyChanged, 'dkg-finish')
  const secret = addScalars(
    plan.curve,
    all.map(one => one.secret),
  )
  erase(...subShares.map(one => one.secret), ...received.map(one => one.secret))
  const transcript = digest('dkg transcript', planHash(plan), ...openings.map(one => encode(dkgOpening, one)))
  return { share: { set: { ...plan, commitments }, party: opening.party, secret }, transcript }
}

/** What a commitment is to. */
export function openingHash(plan: SetPlan, opening: DkgOpening): Uint8Array {
  return digest('dkg opening', planHash(plan), encode(dkgOpening, opening))
}

function proofMessage(plan: SetPlan, party: Party, commitments: readonly Uint8Array[]): Uint8Array {
  return digest(`dkg proof ${party}`, planHash(plan), ...commitments)
}

function checkOpening(plan: SetPlan, all: readonly DkgCommitment[], opening: DkgOpening, step: MpcStep): void {
  const { party } = opening
  const committed = all.find(one => one.party === party)
  if (!committed || !equalBytes(committed.hash, openingHash(plan, opening))) throw fault(commitmentBroken, step, party)
}

function checkProof(plan: SetPlan, { party, commitments, proof }: DkgOpening): void {
  const [key] = commitments
  const { frost } = groupOf(plan.curve)
  const message = proofMessage(plan, party, commitments)
  const valid = orFault(() => key !== undefined && frost.verify(proof, message, key), proofInvalid, 'dkg-deal', party)
  if (!valid) throw fault(proofInvalid, 'dkg-deal', party)
}
