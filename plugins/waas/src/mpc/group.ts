/**
 * The prime-order groups, on bytes: ed25519 always, secp256k1 after `enableSecp256k1`, so that code for Solana does not
 * load it. `check` checks incoming points once; all other functions trust them. Secrets are bigints inside
 * `@noble/curves` while it calculates, and bigints cannot be overwritten. A relay replaces ed25519 by libsodium's.
 */
import type { FROST } from '@noble/curves/abstract/frost.js'
import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js'
import { curveUnknown, fault } from './errors.js'
import type { Curve } from './types.js'

export interface Group {
  readonly curve: Curve
  /** Length of an encoded point. */
  readonly pointBytes: number
  /** Scalar arithmetic; `fromBytes` refuses encodings that are not canonical. */
  readonly Fn: FROST['utils']['Fn']
  /** A random scalar other than zero. */
  readonly randomScalar: () => Uint8Array
  /** Throws unless the bytes are the canonical encoding of a point of the prime-order group, and not of its identity. */
  readonly check: (point: Uint8Array) => void
  /** Scalar · G, for secret scalars. */
  readonly base: (scalar: bigint) => Uint8Array
  /** Scalar · point, for public ones. */
  readonly multiply: (point: Uint8Array, scalar: bigint) => Uint8Array
  readonly add: (points: readonly Uint8Array[]) => Uint8Array
  /** Σ xᵏ · points[k]: a polynomial in the exponent, for public input. */
  readonly evaluate: (points: readonly Uint8Array[], x: bigint) => Uint8Array
  /** A random polynomial with `size` coefficients whose first is the secret, and each coefficient · G. */
  readonly shareSecret: (secret: Uint8Array, size: number) => Polynomial
  /** A Schnorr signature by this scalar; on ed25519 one of RFC 8032. */
  readonly sign: (message: Uint8Array, secret: Uint8Array) => Uint8Array
  readonly verify: (signature: Uint8Array, message: Uint8Array, key: Uint8Array) => boolean
}

/** Secret. */
export interface Polynomial {
  readonly coefficients: readonly bigint[]
  /** Each coefficient · G. */
  readonly commitment: readonly Uint8Array[]
}

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

const groups = new Map<Curve, Group>([['ed25519', makeGroup('ed25519', 32, ed25519.Point, ed25519_FROST)]])

/** Adds a group, or replaces the implementation of the same curve. */
export function addGroup(group: Group): void {
  groups.set(group.curve, group)
}

/** @throws `mpc_curve_unknown` for a curve that was not enabled. */
export function getGroup(curve: Curve): Group {
  const group = groups.get(curve)
  if (!group) throw fault(curveUnknown, 'plan')
  return group
}
