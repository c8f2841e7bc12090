/** Deals a key that the frame holds in memory at that moment: an exportable wallet's, or an imported one. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { digest, erase } from './bytes.js'
import type { Outcome } from './dkg.js'
import { combineEntropy, type EntropyCommitment, type EntropyOpening, type EntropyState } from './entropy.js'
import { fault, partyUnexpected, planInvalid } from './errors.js'
import type { Party } from './parties.js'
import { checkCommitments, checkSubShare, shareOut } from './polynomial.js'
import { sealSeed } from './seed.js'
import { samePlan } from './set.js'
import type { SetPlan, ShareSet, SubShare } from './types.js'
import { encode } from './wire/codec.js'
import { shareSet } from './wire/set-codecs.js'

/** Public. */
export interface DealPackage {
  readonly set: ShareSet
  /** 60 bytes; empty for a key without a seed. */
  readonly sealedSeed?: Uint8Array | undefined
}
export interface Deal extends DealPackage {
  /** Private, one for each party. Erase those of others once they are sent. A party's own becomes its share. */
  readonly subShares: readonly SubShare[]
}

/** Returns a Solana seed's scalar, reduced; the caller erases it. */
function scalarOfSeed(seed: Uint8Array): Uint8Array {
  const { head, prefix, scalar } = ed25519.utils.getExtendedPublicKey(seed)
  const bytes = ed25519.Point.Fn.toBytes(ed25519.Point.Fn.create(scalar))
  erase(head, prefix)
  return bytes
}

/** Deals and erases a secret scalar, canonical in the plan's group. @throws `mpc_plan_invalid` unless the epoch is 0 */
export function dealScalar(plan: SetPlan, scalar: Uint8Array): Deal {
  if (plan.epoch !== 0) throw fault(planInvalid, 'plan')
  try {
    const { commitments, subShares } = shareOut(plan, 'C', scalar)
    return { set: { ...plan, commitments }, subShares }
  } finally {
    erase(scalar)
  }
}

/** Deals an imported key and seals its seed, which this call erases. The address stays. */
export function dealImported(plan: SetPlan, seed: Uint8Array): Deal {
  if (plan.curve !== 'ed25519') throw fault(planInvalid, 'plan')
  const scalar = scalarOfSeed(seed)
  try {
    const sealedSeed = sealSeed(seed, scalar, plan.walletId)
    return { ...dealScalar(plan, scalar), sealedSeed }
  } finally {
    erase(seed, scalar)
  }
}

/**
 * The frame's last step of an exportable creation: seed → scalar → shares and sealed seed. Erases all entropy.
 * @throws `mpc_commitment_broken` naming the relay that opened another value.
 */
export function dealCreated(
  state: EntropyState,
  commitments: readonly EntropyCommitment[],
  openings: readonly EntropyOpening[],
): Deal {
  const deal = dealImported(state.plan, combineEntropy(state, commitments, openings))
  erase(state.entropy, ...openings.map(({ entropy }) => entropy))
  return deal
}

/**
 * Checks, at each party, that the secret is a share of this set's key. Compare the transcript with all parties before
 * the share is used.
 * @throws `mpc_plan_invalid` for a set of another plan; `mpc_degree_wrong`, `mpc_share_invalid` naming the dealer.
 */
export function acceptDeal(plan: SetPlan, party: Party, { set, sealedSeed }: DealPackage, subShare: SubShare): Outcome {
  const step = 'accept-deal'
  if (!samePlan(plan, set) || !plan.parties.includes(party)) throw fault(planInvalid, step, subShare.from)
  if (subShare.to !== party) throw fault(partyUnexpected, step, subShare.from)
  checkCommitments(plan, set.commitments, step, subShare.from)
  checkSubShare(plan, set.commitments, subShare, step)
  return { share: { set, party, secret: subShare.secret }, transcript: dealTranscript({ set, sealedSeed }) }
}

/** Returns the transcript that all parties of a deal compare. */
export function dealTranscript({ set, sealedSeed = new Uint8Array() }: DealPackage): Uint8Array {
  return digest('deal transcript', encode(shareSet, set), sealedSeed)
}
