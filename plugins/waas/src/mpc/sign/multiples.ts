/**
 * Several multiples of one public point by public scalars, for the doublings of one: Yao's method on the digits of a
 * non-adjacent form. A peer's point is multiplied by the group's order, which gives the identity or refuses the point.
 */
import type { EdwardsPoint } from '@noble/curves/abstract/edwards.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { numberToBytesLE } from '@noble/curves/utils.js'

const { Point } = ed25519
/** Bits of a digit, including its sign: odd digits from −15 to 15. */
const WIDTH = 5
const HALF = 1 << (WIDTH - 1)
const BUCKETS = HALF / 2
const SCALAR_BITS = 256

/** Returns the digit at each bit, mostly 0. The scalar is the sum of digit · 2^bit. */
export function getDigits(scalar: bigint): Int8Array {
  const bytes = numberToBytesLE(scalar, SCALAR_BITS / 8)
  const bit = (at: number): number => ((bytes[at >> 3] ?? 0) >> (at & 7)) & 1
  const digits = new Int8Array(SCALAR_BITS + 1)
  let carry = 0
  for (let at = 0; at <= SCALAR_BITS; at++) {
    if (bit(at) === carry) continue
    let digit = carry
    for (let next = 0; next < WIDTH; next++) digit += bit(at + next) << next
    carry = digit > HALF ? 1 : 0
    digits[at] = digit - carry * 2 * HALF
    at += WIDTH - 1
  }
  return digits
}
export const ORDER: Int8Array = /* @__PURE__ */ getDigits(Point.Fn.ORDER)

/** Σ (2k + 1) · sums[k] */
function weighted(sums: readonly EdwardsPoint[]): EdwardsPoint {
  let [running, twice] = [Point.ZERO, Point.ZERO]
  for (const sum of sums.slice(1).reverse()) {
    running = running.add(sum)
    twice = twice.add(running)
  }
  return twice
    .double()
    .add(running)
    .add(sums[0] ?? Point.ZERO)
}

/** Returns scalar · point for each of these `getDigits`. */
export function getMultiples(point: EdwardsPoint, scalars: readonly Int8Array[]): readonly EdwardsPoint[] {
  const sums = scalars.map(() => Array.from({ length: BUCKETS }, () => Point.ZERO))
  let doubled = point
  for (let bit = 0; bit <= SCALAR_BITS; bit++) {
    for (const [index, digits] of scalars.entries()) {
      const digit = digits[bit] ?? 0
      const [buckets, at] = [sums[index], (Math.abs(digit) - 1) / 2]
      const before = digit && buckets?.[at]
      if (buckets && before) buckets[at] = before.add(digit > 0 ? doubled : doubled.negate())
    }
    doubled = doubled.double()
  }
  return sums.map(weighted)
}
