/** Verifiable secret sharing (Shamir, Feldman), shared by key generation, dealing and resharing. */
import { equalBytes } from '@keybay/kernel/spec'
import { degreeWrong, fault, type MpcStep, orFault, pointInvalid, shareInvalid } from './errors.js'
import { getGroup } from './group.js'
import { type Party, partyNumber } from './parties.js'
import type { Curve, SetPlan, SubShare } from './types.js'

/** RFC 9591's derive_interpolating_value: the weight of one party's share among these parties' shares. */
export function lagrange(curve: Curve, parties: readonly Party[], party: Party): bigint {
  const { Fn } = getGroup(curve)
  const identifier = BigInt(partyNumber(party))
  let [numerator, denominator] = [Fn.ONE, Fn.ONE]
  for (const other of parties) {
    if (other === party) continue
    const x = BigInt(partyNumber(other))
    numerator = Fn.mul(numerator, x)
    denominator = Fn.mul(denominator, Fn.sub(x, identifier))
  }
  return Fn.div(numerator, denominator)
}

/** A polynomial's public commitments, and each party's point on it. */
export interface Dealing {
  readonly commitments: readonly Uint8Array[]
  readonly subShares: readonly SubShare[]
}

/** Shares a secret by a fresh polynomial. */
export function shareOut(plan: SetPlan, from: Party, secret: Uint8Array): Dealing {
  const { Fn, shareSecret } = getGroup(plan.curve)
  const { coefficients, commitment } = shareSecret(secret, plan.threshold)
  const subShares = plan.parties.map(to => {
    const x = BigInt(partyNumber(to))
    const value = coefficients.reduceRight((sum, coefficient) => Fn.add(Fn.mul(sum, x), coefficient), Fn.ZERO)
    return { from, to, secret: Fn.toBytes(value) }
  })
  return { commitments: commitment, subShares }
}

/** Checks the number of commitments, and that each is a point of the group. @throws naming the dealer. */
export function checkCommitments(
  plan: SetPlan,
  commitments: readonly Uint8Array[],
  step: MpcStep,
  dealer: Party,
): void {
  if (commitments.length !== plan.threshold) throw fault(degreeWrong, step, dealer)
  for (const point of commitments) orFault(() => getGroup(plan.curve).check(point), pointInvalid, step, dealer)
}

/** Feldman's check. @throws `mpc_share_invalid` naming the dealer. */
export function checkSubShare(
  plan: SetPlan,
  commitments: readonly Uint8Array[],
  { from, to, secret }: SubShare,
  step: MpcStep,
): void {
  const { Fn, base, evaluate } = getGroup(plan.curve)
  const point = orFault(() => base(Fn.fromBytes(secret)), shareInvalid, step, from)
  if (!equalBytes(point, evaluate(commitments, BigInt(partyNumber(to))))) throw fault(shareInvalid, step, from)
}

/** Adds coefficient by coefficient. */
export function addCommitments(plan: SetPlan, all: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  return Array.from({ length: plan.threshold }, (_, k) =>
    getGroup(plan.curve).add(all.flatMap(commitments => commitments[k] ?? [])),
  )
}

/** Scalar arithmetic on bytes. */
export function addScalars(curve: Curve, scalars: readonly Uint8Array[]): Uint8Array {
  const { Fn } = getGroup(curve)
  return Fn.toBytes(scalars.reduce((sum, scalar) => Fn.add(sum, Fn.fromBytes(scalar)), Fn.ZERO))
}
