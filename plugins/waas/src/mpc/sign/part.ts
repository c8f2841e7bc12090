/** One party's part of a signature. It knows its own nonces, so its commitment costs one base multiplication. */
import { equalBytes } from '@keybay/kernel/spec'
import type { EdwardsPoint } from '@noble/curves/abstract/edwards.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { fault, type MpcStep, orFault, partyUnexpected, pointInvalid, sharesMissing } from '../errors.js'
import { type Party, sortParties } from '../parties.js'
import { lagrange } from '../polynomial.js'
import { groupKey, oneFromEach } from '../set.js'
import type { KeyShare, ShareSet } from '../types.js'
import { bindingNumbers, challengeNumber, type NoncePair, type SignCommitment } from './frost.js'
import { getDigits, getMultiples, ORDER } from './multiples.js'

const { Point } = ed25519
const { Fn } = Point

export function commitTo(party: Party, { hiding, binding }: NoncePair): SignCommitment {
  return {
    party,
    hiding: Point.BASE.multiply(Fn.fromBytes(hiding)).toBytes(),
    binding: Point.BASE.multiply(Fn.fromBytes(binding)).toBytes(),
  }
}

function sameCommitment(a: SignCommitment, b: SignCommitment): boolean {
  return a.party === b.party && equalBytes(a.hiding, b.hiding) && equalBytes(a.binding, b.binding)
}

/**
 * Returns the signers in the order of their identifiers: parties of the set, each once, at least the threshold; the
 * `known` ones unchanged.
 * @throws `mpc_party_unexpected` naming the party; `mpc_shares_missing`.
 */
export function getSigners(
  set: ShareSet,
  commitments: readonly SignCommitment[],
  known: readonly SignCommitment[],
  step: MpcStep,
): readonly SignCommitment[] {
  const parties = sortParties(commitments.map(({ party }) => party)).filter(party => set.parties.includes(party))
  const sorted = oneFromEach(parties, commitments, ({ party }) => party, step)
  const changed = known.find(commitment => !sorted.some(other => sameCommitment(commitment, other)))
  if (changed) throw fault(partyUnexpected, step, changed.party)
  if (sorted.length < set.threshold) throw fault(sharesMissing, step)
  return sorted
}

/** The inputs of the last step except the shares. */
export interface Part {
  readonly share: bigint
  readonly groupCommitment: EdwardsPoint
  readonly encoded: Uint8Array
  readonly challenge: bigint
  /** D + ρE of each other signer, to check its share. */
  readonly parts: ReadonlyMap<Party, EdwardsPoint>
  readonly signers: readonly Party[]
}

/**
 * z = d + ρe + λ·s·c. Decodes and checks both points of every other signer, whatever the codec did.
 * @throws `mpc_point_invalid` naming the party: not canonical, the identity, or outside the prime-order group.
 */
export function signPart(
  { set, party, secret }: KeyShare,
  nonces: NoncePair,
  commitments: readonly SignCommitment[],
  message: Uint8Array,
  step: MpcStep,
): Part {
  const factors = bindingNumbers(groupKey(set), commitments, message)
  const signers = commitments.map(commitment => commitment.party)
  const parts = new Map<Party, EdwardsPoint>()
  let nonce = Fn.ZERO
  for (const [i, commitment] of commitments.entries()) {
    const factor = factors[i] ?? Fn.ZERO
    if (commitment.party === party)
      nonce = Fn.add(Fn.fromBytes(nonces.hiding), Fn.mul(Fn.fromBytes(nonces.binding), factor))
    else parts.set(commitment.party, getPart(commitment, factor, step))
  }
  const groupCommitment = [...parts.values()].reduce((sum, point) => sum.add(point), Point.BASE.multiply(nonce))
  const encoded = groupCommitment.toBytes()
  const challenge = challengeNumber(encoded, groupKey(set), message)
  const weighted = Fn.mul(Fn.mul(lagrange('ed25519', signers, party), Fn.fromBytes(secret)), challenge)
  return { share: Fn.add(nonce, weighted), groupCommitment, encoded, challenge, parts, signers }
}

/** D + ρE of another signer. Order · point is the identity only in the prime-order group; E and ρE share doublings. */
function getPart({ party, hiding, binding }: SignCommitment, factor: bigint, step: MpcStep): EdwardsPoint {
  return orFault(
    () => {
      const [d, e] = [openPoint(hiding), openPoint(binding)]
      const [dByOrder] = getMultiples(d, [ORDER])
      const [eByOrder, weighted] = getMultiples(e, [ORDER, getDigits(factor)])
      if (!weighted || !dByOrder?.is0() || !eByOrder?.is0()) throw new Error('order')
      return d.add(weighted)
    },
    pointInvalid,
    step,
    party,
  )
}

function openPoint(bytes: Uint8Array): EdwardsPoint {
  const point = Point.fromBytes(bytes)
  if (point.is0()) throw new Error('identity')
  return point
}
