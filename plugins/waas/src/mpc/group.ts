/**
 * The prime-order groups, on bytes: ed25519 always, secp256k1 after `enableSecp256k1`, so that code for Solana does not
 * load it. `check` checks incoming points once; all other functions trust them. Secrets are bigints inside
 * `@noble/curves` while it calculates, and bigints cannot be overwritten. A relay replaces ed25519 by libsodium's.
 */
import { curveUnknown, fault } from './errors.js'
import { nobleEd25519 } from './noble-group.js'
import type { Curve } from './types.js'

/** The field of the scalars. */
export interface Scalars {
  readonly ZERO: bigint
  readonly ONE: bigint
  readonly is0: (scalar: bigint) => boolean
  readonly add: (a: bigint, b: bigint) => bigint
  readonly sub: (a: bigint, b: bigint) => bigint
  readonly mul: (a: bigint, b: bigint) => bigint
  readonly div: (a: bigint, b: bigint) => bigint
  /** Throws for an encoding that is not canonical. */
  readonly fromBytes: (bytes: Uint8Array) => bigint
  readonly toBytes: (scalar: bigint) => Uint8Array
}

export interface Group {
  readonly curve: Curve
  /** Length of an encoded point. */
  readonly pointBytes: number
  /** Scalar arithmetic; `fromBytes` refuses encodings that are not canonical. */
  readonly Fn: Scalars
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

const groups = new Map<Curve, Group>([['ed25519', nobleEd25519]])

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
