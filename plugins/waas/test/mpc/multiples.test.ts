/** The frame's multiplication of public points, against the library's own. */
import { ed25519 } from '@noble/curves/ed25519.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getDigits, getMultiples, ORDER } from '../../src/mpc/sign/multiples.js'

const { Point } = ed25519
const { ORDER: order } = Point.Fn
const scalar = fc.oneof(fc.bigInt({ min: 0n, max: order }), fc.bigInt({ min: 0n, max: 64n }))
/** Generates the eight points of small order. */
const torsion = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')

function multiply(point: typeof torsion, by: bigint) {
  return by === 0n ? Point.ZERO : point.multiplyUnsafe(by)
}

describe('digits', () => {
  it('the digits of a scalar add up to the scalar, and are few', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), value => {
        const digits = [...getDigits(value)]
        expect(digits.reduce((sum, digit, bit) => sum + BigInt(digit) * 2n ** BigInt(bit), 0n)).toBe(value)
        expect(digits.every(digit => digit === 0 || (digit % 2 !== 0 && Math.abs(digit) < 16))).toBe(true)
        expect(digits.filter(digit => digit !== 0).length).toBeLessThanOrEqual(52)
      }),
    )
  })
})

describe('multiples', () => {
  it('the multiples of a point equal the library’s for any point', () => {
    fc.assert(
      fc.property(scalar, scalar, fc.bigInt({ min: 1n, max: order - 1n }), fc.nat(7), (a, b, log, small) => {
        const point = Point.BASE.multiply(log).add(multiply(torsion, BigInt(small)))
        const [first, second] = getMultiples(point, [getDigits(a), getDigits(b)])
        expect(first?.equals(multiply(point, a % order)) || (a === order && small > 0)).toBe(true)
        expect(second?.equals(multiply(point, b % order)) || (b === order && small > 0)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('multiples by the group order are the identity only for points of the prime-order group', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: order - 1n }), fc.nat(7), (log, small) => {
        const point = Point.BASE.multiply(log).add(multiply(torsion, BigInt(small)))
        expect(getMultiples(point, [ORDER])[0]?.is0()).toBe(small === 0)
        expect(point.isTorsionFree()).toBe(small === 0)
      }),
      { numRuns: 60 },
    )
    for (let small = 1n; small < 8n; small++)
      expect(getMultiples(multiply(torsion, small), [ORDER])[0]?.is0()).toBe(false)
  })
})
