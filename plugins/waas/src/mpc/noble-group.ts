/** Groups of `@noble/curves`. */
import type { FROST } from '@noble/curves/abstract/frost.js'
import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js'
import type { Group } from './group.js'
import type { Curve } from './types.js'

/** The methods that we use of a noble point. */
interface Point<P> {
  readonly add: (other: P) => P
  readonly multiply: (scalar: bigint) => P
  readonly multiplyUnsafe: (scalar: bigint) => P
  readonly is0: () => boolean
  readonly isTorsionFree: () => boolean
  readonly toBytes: () => Uint8Array
}
interface Points<P> {
  readonly BASE: P
  readonly ZERO: P
  readonly fromBytes: (bytes: Uint8Array) => P
}

export function makeGroup<P extends Point<P>>(
  curve: Curve,
  pointBytes: number,
  points: Points<P>,
  frost: FROST,
): Group {
  const { sign, verify, utils } = frost
  const { Fn, randomScalar, generateSecretPolynomial } = utils
  return {
    curve,
    pointBytes,
    Fn,
    randomScalar,
    check: bytes => {
      if (bytes.length !== pointBytes) throw new Error('length')
      const point = points.fromBytes(bytes)
      if (point.is0() || !point.isTorsionFree()) throw new Error('order')
    },
    base: scalar => points.BASE.multiply(scalar).toBytes(),
    multiply: (point, scalar) => points.fromBytes(point).multiplyUnsafe(scalar).toBytes(),
    add: all => all.reduce((sum, point) => sum.add(points.fromBytes(point)), points.ZERO).toBytes(),
    evaluate: (all, x) =>
      all.reduceRight((sum, point) => sum.multiplyUnsafe(x).add(points.fromBytes(point)), points.ZERO).toBytes(),
    shareSecret: (secret, size) => generateSecretPolynomial({ min: size, max: size }, secret),
    sign,
    verify,
  }
}

export const nobleEd25519: Group = makeGroup('ed25519', 32, ed25519.Point, ed25519_FROST)
