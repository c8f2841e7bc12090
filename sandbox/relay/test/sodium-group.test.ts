/** The group on libsodium, against `@noble/curves`: the same points, the same refusals. */
import { getGroup } from '@keybay/waas/mpc'
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sodiumExchange, sodiumGroup } from '../src/crypto/sodium-group.js'

const noble = getGroup('ed25519')
const { Point } = ed25519
const { ORDER: order } = Point.Fn
const torsion = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
const identity = Point.ZERO.toBytes()

const scalar = fc.oneof(fc.bigInt({ min: 1n, max: order - 1n }), fc.bigInt({ min: 1n, max: 64n }))
const point = scalar.map(log => Point.BASE.multiply(log).toBytes())
const bytes = fc.uint8Array({ maxLength: 200 })

function check<Values extends [unknown, ...unknown[]]>(
  values: { [K in keyof Values]: fc.Arbitrary<Values[K]> },
  claim: (...all: Values) => void,
) {
  const property = fc.property<Values>(...values, (...all: Values) => {
    claim(...all)
  })
  fc.assert(property, { numRuns: 40 })
}
function isRefused(call: () => void): boolean {
  try {
    call()
    return false
  } catch {
    return true
  }
}

describe('the group on libsodium', () => {
  it('multiplies the base point as noble does', () => {
    check([scalar], value => expect(sodiumGroup.base(value)).toEqual(noble.base(value)))
    expect(() => sodiumGroup.base(0n)).toThrow()
  })

  it('multiplies points as noble does, the identity and zero included', () => {
    const anyScalar = fc.oneof(scalar, fc.constant(0n), fc.constant(order - 1n))
    const anyPoint = fc.oneof(point, fc.constant(identity))
    check([anyPoint, anyScalar], (p, value) => expect(sodiumGroup.multiply(p, value)).toEqual(noble.multiply(p, value)))
  })

  it('adds points as noble does, also to the identity', () => {
    check([fc.array(point)], points => expect(sodiumGroup.add(points)).toEqual(noble.add(points)))
    check([point], p => {
      const negative = Point.fromBytes(p).negate().toBytes()
      expect(sodiumGroup.add([p, negative])).toEqual(identity)
      expect(sodiumGroup.evaluate([negative, p], 1n)).toEqual(identity)
    })
  })

  it('evaluates polynomials of points as noble does', () => {
    const points = fc.array(point, { minLength: 1, maxLength: 4 })
    check([points, scalar], (all, x) => expect(sodiumGroup.evaluate(all, x)).toEqual(noble.evaluate(all, x)))
  })

  it('commits to every coefficient, the secret first, so that noble finds the same commitments', () => {
    check([scalar, fc.integer({ min: 1, max: 4 })], (secret, size) => {
      const { coefficients, commitment } = sodiumGroup.shareSecret(noble.Fn.toBytes(secret), size)
      expect([coefficients.length, coefficients[0]]).toEqual([size, secret])
      expect(commitment).toEqual(coefficients.map(noble.base))
      expect(new Set(coefficients).size).toBe(size)
    })
  })

  it('signs and verifies as noble does and as RFC 8032 requires', () => {
    check([scalar, bytes, bytes], (value, message, other) => {
      const secret = noble.Fn.toBytes(value)
      const key = noble.base(value)
      const [ours, theirs] = [sodiumGroup.sign(message, secret), noble.sign(message, secret)]
      for (const signature of [ours, theirs]) {
        expect(noble.verify(signature, message, key)).toBe(true)
        expect(sodiumGroup.verify(signature, message, key)).toBe(true)
        expect(ed25519.verify(signature, message, key)).toBe(true)
        const isSame = Buffer.compare(message, other) === 0
        expect(sodiumGroup.verify(signature, other, key)).toBe(isSame)
      }
      expect(ours).not.toEqual(sodiumGroup.sign(message, secret))
    })
  })

  it('chooses random scalars that are canonical, not zero, and different', () => {
    const scalars = Array.from({ length: 50 }, () => noble.Fn.fromBytes(sodiumGroup.randomScalar()))
    expect(scalars).not.toContain(0n)
    expect(new Set(scalars).size).toBe(50)
  })
})

describe('X25519 on libsodium', () => {
  const secretKey = fc.uint8Array({ minLength: 32, maxLength: 32 })

  it('finds the same public keys and shared secrets as noble, also for public keys that are not canonical', () => {
    check([secretKey, secretKey], (one, other) => {
      expect(sodiumExchange.getPublicKey(one)).toEqual(x25519.getPublicKey(one))
      expect(sodiumExchange.getSharedSecret(one, other)).toEqual(x25519.getSharedSecret(one, other))
    })
  })

  it.each([
    0n,
    1n,
    325606250916557431795983626356110631294008115727848805560023387167927233504n,
    39382357235489614581723060781553021112529911719440698176882885853963445705823n,
    2n ** 255n - 20n,
    2n ** 255n - 19n,
    2n ** 255n - 18n,
  ])('refuses the public key of small order %s', u => {
    const key = Uint8Array.from({ length: 32 }, (_, i) => Number((u >> BigInt(8 * i)) & 255n))
    expect(() => sodiumExchange.getSharedSecret(new Uint8Array(32).fill(9), key)).toThrow()
    expect(() => x25519.getSharedSecret(new Uint8Array(32).fill(9), key)).toThrow()
  })
})

describe('points that are refused', () => {
  /** The eight points of small order. */
  const small = Array.from({ length: 8 }, (_, k) => (k === 0 ? Point.ZERO : torsion.multiplyUnsafe(BigInt(k))))

  it('accepts a point only if it is of the prime-order group, and not the identity', () => {
    check([scalar, fc.nat(7)], (log, k) => {
      const product = Point.BASE.multiply(log)
      const sum = product.add(small[k] ?? Point.ZERO).toBytes()
      expect(isRefused(() => sodiumGroup.check(sum))).toBe(k !== 0)
      expect(isRefused(() => noble.check(sum))).toBe(k !== 0)
    })
  })

  it.each(small.map((p, k) => [k, p.toBytes()] as const))('refuses the point of small order %i', (_, p) => {
    expect(() => sodiumGroup.check(p)).toThrow()
    expect(() => noble.check(p)).toThrow()
  })

  it('refuses the same encodings as noble: not canonical, of a wrong length, not on the curve', () => {
    const field = 2n ** 255n - 19n
    const encode = (y: bigint) => Uint8Array.from({ length: 32 }, (_, i) => Number((y >> BigInt(8 * i)) & 255n))
    const strange = [
      ...Array.from({ length: 19 }, (_, k) => encode(field + BigInt(k))),
      ...Array.from({ length: 19 }, (_, k) => encode(field + BigInt(k) + 2n ** 255n)),
      encode(1n + 2n ** 255n),
      new Uint8Array(0),
      new Uint8Array(31).fill(9),
      new Uint8Array(33).fill(9),
    ]
    for (const p of strange) {
      expect(() => sodiumGroup.check(p)).toThrow()
      expect(() => noble.check(p)).toThrow()
    }
    check([fc.uint8Array({ minLength: 32, maxLength: 32 })], p =>
      expect(isRefused(() => sodiumGroup.check(p))).toBe(isRefused(() => noble.check(p))),
    )
  })

  it('verifies no signature by a key or with a point of small order', () => {
    const message = new Uint8Array(3)
    for (const p of small) {
      const signature = Uint8Array.of(...p.toBytes(), ...new Uint8Array(32))
      expect(sodiumGroup.verify(signature, message, p.toBytes())).toBe(false)
      expect(sodiumGroup.verify(signature, message, sodiumGroup.base(5n))).toBe(false)
    }
  })
})
