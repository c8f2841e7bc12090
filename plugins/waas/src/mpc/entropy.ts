/**
 * The seed of an exportable wallet: the frame's entropy ⊕ each relay's. All commit before any other value is known, so no
 * side chooses the key. The frame has this key in memory anyway, which is what exportable means.
 */
import { equalBytes } from '@keybay/kernel/spec'
import { randomBytes } from '@noble/curves/utils.js'
import { createCopy, digest } from './bytes.js'
import { commitmentBroken, fault, planInvalid } from './errors.js'
import type { Party } from './parties.js'
import { oneFromEach, planHash } from './set.js'
import type { SetPlan, Step } from './types.js'

export interface EntropyCommitment {
  readonly party: Party
  /** 32 bytes. */
  readonly hash: Uint8Array
}
/** Private: from a relay to the frame. */
export interface EntropyOpening {
  readonly party: Party
  /** 32 bytes. */
  readonly entropy: Uint8Array
}
/** Secret; kept sealed until the ceremony ends, then erased. */
export interface EntropyState extends EntropyOpening {
  readonly plan: SetPlan
}

/** Returns the participants: the frame, as C, and the relays of the plan. */
export function entropyParties({ parties }: SetPlan): readonly Party[] {
  return parties.filter(party => party === 'C' || party === 'R1' || party === 'R2')
}

/** Step 1. Send the commitment. @throws `mpc_plan_invalid` for a party that does not take part. */
export function entropyStart(plan: SetPlan, party: Party): Step<EntropyState, EntropyCommitment> {
  if (!entropyParties(plan).includes(party)) throw fault(planInvalid, 'plan', party)
  const state = { plan, party, entropy: randomBytes(32) }
  return { state, message: { party, hash: entropyHash(plan, state) } }
}

/** Step 2 of a relay, with all commitments. Its state stays as it is until step 3. */
export function entropyOpen(
  { plan, party, entropy }: EntropyState,
  commitments: readonly EntropyCommitment[],
): EntropyOpening {
  const opening = { party, entropy: createCopy(entropy) }
  checkEntropy(plan, commitments, opening)
  return opening
}

/** Step 2 of the frame: the seed. @throws `mpc_commitment_broken` naming the relay. */
export function combineEntropy(
  { plan, party, entropy }: EntropyState,
  commitments: readonly EntropyCommitment[],
  received: readonly EntropyOpening[],
): Uint8Array {
  const openings = oneFromEach(
    entropyParties(plan),
    [...received, { party, entropy }],
    message => message.party,
    'entropy-open',
  )
  for (const opening of openings) checkEntropy(plan, commitments, opening)
  return Uint8Array.from({ length: 32 }, (_, i) =>
    openings.reduce((bits, opening) => bits ^ (opening.entropy[i] ?? 0), 0),
  )
}

function entropyHash(plan: SetPlan, { party, entropy }: EntropyOpening): Uint8Array {
  return digest(`entropy ${party}`, planHash(plan), entropy)
}

function checkEntropy(plan: SetPlan, commitments: readonly EntropyCommitment[], opening: EntropyOpening): void {
  const all = oneFromEach(entropyParties(plan), commitments, ({ party }) => party, 'entropy-open')
  const committed = all.find(({ party }) => party === opening.party)
  if (opening.entropy.length !== 32 || !committed || !equalBytes(committed.hash, entropyHash(plan, opening)))
    throw fault(commitmentBroken, 'entropy-open', opening.party)
}
