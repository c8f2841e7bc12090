/**
 * Moves a key to a new set without combining it: a threshold of the old parties deal λᵢ·sᵢ by fresh polynomials, and
 * the new shares are the sums. A refresh is the same sharing at the next epoch; a further device's set is another set
 * at epoch 0.
 */
import { equalBytes } from '@keybay/kernel/spec'
import { digest, erase } from './bytes.js'
import type { Outcome } from './dkg.js'
import { constantChanged, fault, groupKeyChanged, orFault, planInvalid, sharesMissing } from './errors.js'
import { getGroup } from './group.js'
import { type Party, sortParties } from './parties.js'
import { addCommitments, addScalars, checkCommitments, checkSubShare, lagrange, shareOut } from './polynomial.js'
import { checkShare, groupKey, oneFromEach, setHash, verifyingShare } from './set.js'
import type { KeyShare, SetPlan, ShareSet, SubShare } from './types.js'
import { encode } from './wire/codec.js'
import { resharePlan } from './wire/reshare-codecs.js'

export interface ResharePlan {
  /** The old set. */
  readonly from: ShareSet
  /** Parties of the old set, at least its threshold, in the order of their identifiers. */
  readonly dealers: readonly Party[]
  /** The new set, of the same wallet and curve: the same set at the next epoch, or another set at epoch 0. */
  readonly next: SetPlan
  /** SHA-256 of the new set's policy, 32 bytes: all parties agree on it by the transcript. */
  readonly policyHash: Uint8Array
}
export interface ReshareDealing {
  readonly party: Party
  readonly curve: SetPlan['curve']
  readonly commitments: readonly Uint8Array[]
}
export interface ReshareDealt {
  /** Public, to all. */
  readonly dealing: ReshareDealing
  /** Private, one for each party of the new set. A dealer keeps its own. */
  readonly subShares: readonly SubShare[]
}

/**
 * Round 1, each dealer. The old share stays until the new epoch is committed. Erase the sub-shares once they are sent.
 * @throws `mpc_plan_invalid`, `mpc_shares_missing` (fewer dealers than the old threshold), `mpc_share_invalid`.
 */
export function reshareDeal(plan: ResharePlan, share: KeyShare): ReshareDealt {
  checkPlan(plan)
  const { from, dealers, next } = plan
  const { party } = share
  if (!dealers.includes(party) || !equalBytes(setHash(share.set), setHash(from)))
    throw fault(planInvalid, 'reshare-deal', party)
  checkShare(share, 'reshare-deal')
  const { Fn } = getGroup(from.curve)
  const secret = Fn.toBytes(Fn.mul(lagrange(from.curve, dealers, party), Fn.fromBytes(share.secret)))
  const { commitments, subShares } = shareOut(next, party, secret)
  erase(secret)
  return { dealing: { party, curve: next.curve, commitments }, subShares }
}

/**
 * Each party of the new set, with every dealing and its sub-shares, which this call erases. The share stays pending
 * until all parties have the same transcript and the new epoch is committed.
 * @throws `mpc_degree_wrong`, `mpc_constant_changed` or `mpc_share_invalid` naming the dealer; `mpc_group_key_changed`.
 */
export function reshareReceive(
  plan: ResharePlan,
  party: Party,
  dealings: readonly ReshareDealing[],
  received: readonly SubShare[],
): Outcome {
  const step = 'reshare-receive'
  checkPlan(plan)
  const { dealers, next } = plan
  if (!next.parties.includes(party)) throw fault(planInvalid, step, party)
  const all = oneFromEach(dealers, dealings, dealing => dealing.party, step)
  const subShares = oneFromEach(dealers, received, subShare => subShare.from, step)
  const commitments = newCommitments(plan, all)
  for (const [i, dealing] of all.entries()) {
    const subShare = subShares[i]
    if (subShare) checkSubShare(next, dealing.commitments, { ...subShare, to: party }, step)
  }
  const secrets = subShares.map(subShare => subShare.secret)
  const secret = addScalars(next.curve, secrets)
  erase(...secrets)
  return { share: { set: { ...next, commitments }, party, secret }, transcript: reshareTranscript(plan, all) }
}

/** Returns the public package of these dealings, checked. For any observer. @throws as `reshareReceive` */
export function reshareSet(plan: ResharePlan, dealings: readonly ReshareDealing[]): ShareSet {
  checkPlan(plan)
  const all = oneFromEach(plan.dealers, dealings, dealing => dealing.party, 'reshare-receive')
  return { ...plan.next, commitments: newCommitments(plan, all) }
}

/** Returns the transcript that all parties of a resharing compare. */
export function reshareTranscript(plan: ResharePlan, dealings: readonly ReshareDealing[]): Uint8Array {
  const all = oneFromEach(plan.dealers, dealings, dealing => dealing.party, 'reshare-receive')
  return digest('reshare transcript', encode(resharePlan, plan), ...all.flatMap(dealing => dealing.commitments))
}

function newCommitments(plan: ResharePlan, dealings: readonly ReshareDealing[]): readonly Uint8Array[] {
  const { from, dealers, next } = plan
  const { check, multiply } = getGroup(from.curve)
  for (const { party, curve, commitments } of dealings) {
    if (curve !== next.curve) throw fault(planInvalid, 'reshare-receive', party)
    checkCommitments(next, commitments, 'reshare-receive', party)
    const expected = multiply(verifyingShare(from, party), lagrange(from.curve, dealers, party))
    if (!commitments[0] || !equalBytes(commitments[0], expected)) throw fault(constantChanged, 'reshare-receive', party)
  }
  const sums = addCommitments(
    next,
    dealings.map(dealing => dealing.commitments),
  )
  for (const sum of sums) orFault(() => check(sum), groupKeyChanged, 'reshare-receive')
  if (!sums[0] || !equalBytes(sums[0], groupKey(from))) throw fault(groupKeyChanged, 'reshare-receive')
  return sums
}

function checkPlan({ from, dealers, next }: ResharePlan): void {
  const step = 'plan'
  if (dealers.length < from.threshold) throw fault(sharesMissing, step)
  const known = sortParties(dealers).filter(party => from.parties.includes(party))
  if (known.join() !== dealers.join()) throw fault(planInvalid, step)
  const epoch = next.setId === from.setId ? from.epoch + 1 : 0
  if (next.walletId !== from.walletId || next.curve !== from.curve || next.epoch !== epoch)
    throw fault(planInvalid, step)
}
