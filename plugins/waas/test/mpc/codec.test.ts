/** Every package: what is written reads back, and nothing else is read. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import { blames, fails, hex, thrown, VIEWS } from './ceremonies.js'

const { codecs, decode, encode } = mpc

function bytes(length: number) {
  return fc.uint8Array({ minLength: length, maxLength: length })
}
const { Fn, BASE } = ed25519.Point
const number = fc.bigInt({ min: 1n, max: Fn.ORDER - 1n })
const scalar = number.map(value => Fn.toBytes(value))
const point = number.map(value => BASE.multiply(value).toBytes())
const otherScalar = number.map(value => secp256k1.Point.Fn.toBytes(value))
const otherPoint = number.map(value => secp256k1.Point.BASE.multiply(value).toBytes())

const id = fc.string({
  minLength: 1,
  maxLength: 64,
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
})
const party = fc.constantFrom(...mpc.PARTIES)
const curve = fc.constantFrom('ed25519', 'secp256k1') satisfies fc.Arbitrary<mpc.Curve>

function getPoint(of: mpc.Curve) {
  return of === 'ed25519' ? point : otherPoint
}

function getScalar(of: mpc.Curve) {
  return of === 'ed25519' ? scalar : otherScalar
}

function exactly<T>(item: fc.Arbitrary<T>, length: number) {
  return fc.array(item, { minLength: length, maxLength: length })
}

const sharing = fc.constantFrom(...Object.values(mpc.SCHEMES), mpc.additionalSharing('THREE_OF_FIVE'))
const names = { ceremonyId: id, walletId: id, setId: id, epoch: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }
const setPlan = fc
  .tuple(fc.record({ ...names, curve }), sharing)
  .map(([plan, shared]): mpc.SetPlan => ({ ...plan, ...shared }))
const shareSet = setPlan.chain(plan =>
  exactly(getPoint(plan.curve), plan.threshold).map((commitments): mpc.ShareSet => ({ ...plan, commitments })),
)
const keyShare = shareSet.chain(set =>
  fc.record({ set: fc.constant(set), party: fc.constantFrom(...set.parties), secret: getScalar(set.curve) }),
)
const hashed = fc.record({ party, hash: bytes(32) })

function opening(of: mpc.Curve) {
  return fc.record({
    party,
    curve: fc.constant(of),
    commitments: fc.array(getPoint(of), { maxLength: 3 }),
    proof: bytes(of === 'ed25519' ? 64 : 65),
  })
}
const anyOpening = curve.chain(opening)
const subShare = fc.record({ from: party, to: party, secret: scalar })
const otherSubShare = fc.record({ from: party, to: party, secret: otherScalar })
const started = setPlan.chain(plan =>
  fc.record({
    plan: fc.constant(plan),
    opening: opening(plan.curve),
    subShares: fc.array(plan.curve === 'ed25519' ? subShare : otherSubShare, { maxLength: 5 }),
  }),
)
const entropy = { party, entropy: bytes(32) }
const dealing = curve.chain(of =>
  fc.record({ party, curve: fc.constant(of), commitments: fc.array(getPoint(of), { maxLength: 3 }) }),
)
const commitment = fc.record({ party, hiding: point, binding: point })
const answer = fc.record({ commitment, signatureShare: scalar })

/** One entry, typed by its codec. */
function entry<T>(codec: mpc.Codec<T>, value: fc.Arbitrary<T>) {
  return {
    codec,
    /** Encoded samples, and whether they read back. */
    packages: value.map(sample => ({
      package: encode(codec, sample),
      same: () => expect(decode(codec, encode(codec, sample))).toEqual(sample),
    })),
    /** The bytes that a package reads as and is written as again. */
    again: (encoded: Uint8Array) => encode(codec, decode(codec, encoded)),
    /** The same, where the bytes that were read from are overwritten before it is written. */
    afterwards: (encoded: Uint8Array) => {
      const value = decode(codec, encoded)
      encoded.fill(0xee)
      return encode(codec, value)
    },
  }
}

const table = {
  setPlan: entry(codecs.setPlan, setPlan),
  shareSet: entry(codecs.shareSet, shareSet),
  keyShare: entry(codecs.keyShare, keyShare),
  dkgCommitment: entry(codecs.dkgCommitment, hashed),
  dkgOpening: entry(codecs.dkgOpening, anyOpening),
  dkgStarted: entry(codecs.dkgStarted, started),
  dkgOpened: entry(
    codecs.dkgOpened,
    fc.tuple(started, fc.array(hashed, { maxLength: 5 })).map(([state, others]) => ({ ...state, others })),
  ),
  dkgDealt: entry(
    codecs.dkgDealt,
    fc.tuple(started, fc.array(anyOpening, { maxLength: 2 })).map(([state, openings]) => ({ ...state, openings })),
  ),
  entropyCommitment: entry(codecs.entropyCommitment, hashed),
  entropyOpening: entry(codecs.entropyOpening, fc.record(entropy)),
  entropyState: entry(codecs.entropyState, fc.record({ plan: setPlan, ...entropy })),
  dealPackage: entry(
    codecs.dealPackage,
    fc.oneof(fc.record({ set: shareSet }), fc.record({ set: shareSet, sealedSeed: bytes(60) })),
  ),
  subShare: entry(codecs.subShare, subShare),
  subShareSecp256k1: entry(codecs.subShareSecp256k1, otherSubShare),
  resharePlan: entry(
    codecs.resharePlan,
    fc.record({ from: shareSet, dealers: fc.array(party, { maxLength: 5 }), next: setPlan, policyHash: bytes(32) }),
  ),
  reshareDealing: entry(codecs.reshareDealing, dealing),
  signCommitment: entry(codecs.signCommitment, commitment),
  signCommitments: entry(codecs.signCommitments, fc.array(commitment, { maxLength: 3 })),
  signAnswer: entry(codecs.signAnswer, answer),
  signAnswers: entry(codecs.signAnswers, fc.array(answer, { maxLength: 2 })),
  taprootCommitment: entry(codecs.taprootCommitment, fc.record({ party, hiding: otherPoint, binding: otherPoint })),
}

function forAll<T>(values: fc.Arbitrary<T>, numRuns: number, act: (value: T) => void): void {
  fc.assert(
    fc.property(values, value => void act(value)),
    { numRuns },
  )
}
const xor = fc.integer({ min: 1, max: 255 })

function flip(bytes: Uint8Array, place: number, mask: number): Uint8Array {
  return bytes.map((byte, index) => (index === place ? byte ^ mask : byte))
}

const refusedKinds = [mpc.packageMalformed.code, mpc.pointInvalid.code]

function isRefused(error: unknown) {
  return expect(error).toEqual(
    expect.objectContaining({ name: 'KeybayError', code: expect.toSatisfy(code => refusedKinds.includes(code)) }),
  )
}

describe('wire packages', () => {
  it('every wire package is in this table, and has its own kind', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(codecs).sort())
    const kinds = Object.values(codecs).map(({ kind }) => kind)
    expect(new Set(kinds).size).toBe(kinds.length)
  })
  for (const [name, { packages, again, afterwards }] of Object.entries(table)) {
    it(`${name}: a written package reads back unchanged`, () => {
      forAll(packages, 25, ({ same }) => same())
    })
    it(`${name}: reads views of larger memory and of Node’s buffers, and keeps no reference to them`, () => {
      forAll(packages, 10, ({ package: encoded }) => {
        for (const within of Object.values(VIEWS)) expect(afterwards(within(encoded))).toEqual(encoded)
      })
    })
    it(`${name}: refuses a package that is short, long, of another version or of another kind`, () => {
      forAll(fc.tuple(packages, fc.nat(), bytes(1), xor), 15, ([{ package: whole }, at, more, mask]) => {
        isRefused(thrown(() => again(whole.slice(0, at % whole.length))))
        isRefused(thrown(() => again(Uint8Array.of(...whole, ...more))))
        for (const place of [0, 1]) isRefused(thrown(() => again(flip(whole, place, mask))))
      })
    })
    it(`${name}: refuses a changed byte, or reads another package that encodes to exactly these bytes`, () => {
      forAll(fc.tuple(packages, fc.nat(), xor), 40, ([{ package: whole }, at, mask]) => {
        const other = flip(whole, 2 + (at % (whole.length - 2)), mask)
        let read: Uint8Array | undefined
        const error = thrown(() => {
          read = again(other)
        })
        if (error) isRefused(error)
        else expect(read).toEqual(other)
      })
    })
    it(`${name}: reads any bytes as a package, or throws one of two errors`, () => {
      const { kind = 0 } = Object.entries(codecs).find(([codec]) => codec === name)?.[1] ?? {}
      forAll(fc.uint8Array({ maxLength: 300 }), 100, payload => {
        for (const bytes of [payload, Uint8Array.of(1, kind, ...payload)]) {
          const error = thrown(() => again(bytes))
          if (error) isRefused(error)
        }
      })
    })
  }
})

describe('points and scalars', () => {
  const torsion = hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
  const torsioned = BASE.multiply(9n).add(ed25519.Point.fromBytes(torsion)).toBytes()
  const bad = {
    'the identity': ed25519.Point.ZERO.toBytes(),
    'of order 2': hex(`ec${'ff'.repeat(30)}7f`),
    'of order 4': new Uint8Array(32),
    'of order 8': torsion,
    'with a torsion component': torsioned,
    'not canonical (y ≥ p)': hex(`ee${'ff'.repeat(30)}7f`),
    'not canonical (the identity with a sign)': hex(`01${'00'.repeat(30)}80`),
    'no point of the curve': hex(`02${'00'.repeat(31)}`),
  }
  const good = BASE.multiply(5n).toBytes()
  const ids = { ceremonyId: 'c', walletId: 'w', setId: 's', epoch: 0, curve: 'ed25519' } as const
  const plan = { ...ids, ...mpc.SCHEMES.TWO_OF_TWO }
  for (const [name, point] of Object.entries(bad))
    it(`refuses this point in every package: ${name}`, () => {
      const invalid = blames(mpc.pointInvalid, 'decode')
      const sign = encode(codecs.signCommitment, { party: 'C', hiding: good, binding: point })
      expect(thrown(() => decode(codecs.signCommitment, sign))).toEqual(invalid)
      const opening = { party: 'C', curve: 'ed25519', commitments: [good, point], proof: new Uint8Array(64) } as const
      expect(thrown(() => decode(codecs.dkgOpening, encode(codecs.dkgOpening, opening)))).toEqual(invalid)
      const dealt = { party: 'C', curve: 'ed25519', commitments: [point] } as const
      expect(thrown(() => decode(codecs.reshareDealing, encode(codecs.reshareDealing, dealt)))).toEqual(invalid)
      const set = { ...plan, commitments: [good, point] }
      expect(thrown(() => decode(codecs.shareSet, encode(codecs.shareSet, set)))).toEqual(invalid)
    })
  it('refuses uncompressed, hybrid and off-curve points of secp256k1', () => {
    const write = (point: Uint8Array) =>
      encode(codecs.reshareDealing, { party: 'C', curve: 'secp256k1', commitments: [point] })
    const good = secp256k1.Point.BASE.multiply(5n)
    fails(() => write(good.toBytes(false)), mpc.packageMalformed, 'encode')
    for (const point of [
      Uint8Array.of(4, ...good.toBytes().slice(1)),
      Uint8Array.of(2, ...new Uint8Array(32).fill(255)),
      new Uint8Array(33),
    ])
      fails(() => decode(codecs.reshareDealing, write(point)), mpc.pointInvalid, 'decode')
  })
  it('refuses a zero scalar and scalars from the group’s order on, instead of reducing them', () => {
    const order = Uint8Array.from({ length: 32 }, (_, i) => Number((Fn.ORDER >> BigInt(8 * i)) & 0xffn))
    const written = encode(codecs.subShare, { from: 'C', to: 'R1', secret: Fn.toBytes(1n) })
    const withScalar = (secret: Uint8Array) => Uint8Array.of(...written.slice(0, -32), ...secret)
    expect(decode(codecs.subShare, withScalar(Fn.toBytes(Fn.ORDER - 1n))).secret).toHaveLength(32)
    for (const secret of [
      new Uint8Array(32),
      order,
      order.map((byte, i) => (i === 0 ? byte + 1 : byte)),
      new Uint8Array(32).fill(255),
    ]) {
      fails(() => decode(codecs.subShare, withScalar(secret)), mpc.packageMalformed, 'decode')
      fails(() => encode(codecs.subShare, { from: 'C', to: 'R1', secret }), mpc.packageMalformed, 'encode')
    }
  })
  it('refuses a presence flag that is neither 0 nor 1', () => {
    const set = { ...plan, commitments: [good, good] }
    const written = encode(codecs.dealPackage, { set, sealedSeed: new Uint8Array(60) })
    const other = written.slice()
    other[written.length - 61] = 2
    expect(decode(codecs.dealPackage, written).sealedSeed).toHaveLength(60)
    fails(() => decode(codecs.dealPackage, other), mpc.packageMalformed, 'decode')
  })
  it('refuses to write a package that it would refuse to read', () => {
    const refused = (other: Partial<mpc.SetPlan>) =>
      fails(() => encode(codecs.setPlan, { ...plan, ...other }), mpc.packageMalformed, 'encode')
    expect(encode(codecs.setPlan, plan)).toHaveLength(14)
    for (const walletId of ['', 'a b', 'é', 'a'.repeat(65), 'a\n']) refused({ walletId })
    for (const epoch of [-1, 0.5, 2 ** 32, Number.NaN]) refused({ epoch })
    refused({ threshold: 1 })
    refused({ parties: ['R1', 'C'] })
    refused({ parties: ['C', 'B1'] })
    const long = { party: 'C', curve: 'ed25519', commitments: Array.from({ length: 17 }, () => good) } as const
    fails(() => encode(codecs.reshareDealing, long), mpc.packageMalformed, 'encode')
  })
})
