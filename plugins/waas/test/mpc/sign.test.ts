import { createPublicKey, verify as opensslVerify } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import { coSigning } from '../../src/mpc/sign/co-signer.js'
import rfc from '../../vectors/rfc9591-ed25519-sha512.json' with { type: 'json' }
import {
  blames,
  dealt,
  fails,
  generate,
  getPlan,
  getSet,
  getShare,
  hex,
  reshare,
  SCHEME_NAMES,
  sign,
  subsets,
  take,
  text,
  thrown,
  toHex,
} from './ceremonies.js'

const message = text('Pay 1 SOL to Ada.')

/** By three implementations that share no code, none of them lenient. */
function verifies(signature: Uint8Array, signed: Uint8Array, key: Uint8Array): void {
  expect(nacl.sign.detached.verify(signed, signature, key)).toBe(true)
  expect(ed25519.verify(signature, signed, key, { zip215: false })).toBe(true)
  const spki = Buffer.concat([hex('302a300506032b6570032100'), key])
  expect(opensslVerify(null, signed, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature)).toBe(true)
}

describe('FROST(Ed25519, SHA-512)', () => {
  it('FROST signing matches the vector of RFC 9591, E.1, at every step', () => {
    const parties = ['C', 'B1', 'B2'] as const
    const key = hex(rfc.groupPublicKey)
    const { Fn, BASE } = ed25519.Point
    const coefficient = BASE.multiply(Fn.fromBytes(hex(rfc.coefficient))).toBytes()
    const set: mpc.ShareSet = { ...getPlan('TWO_OF_THREE'), parties, commitments: [key, coefficient] }
    const signed = hex(rfc.message)
    const rounds = rfc.signers.map(signer => {
      const share = { set, party: take(mpc.PARTIES[signer.identifier - 1]), secret: hex(signer.share) }
      mpc.checkShare(share)
      const randomness = (): mpc.NoncePair => ({
        hiding: hex(signer.hidingRandomness),
        binding: hex(signer.bindingRandomness),
      })
      const nonces = mpc.noncesFrom(randomness(), share.secret)
      expect([toHex(nonces.hiding), toHex(nonces.binding)]).toEqual([signer.hidingNonce, signer.bindingNonce])
      const signing = coSigning({ share, message: signed, received: [] }, randomness())
      expect(toHex(signing.commitment.hiding)).toBe(signer.hiding)
      expect(toHex(signing.commitment.binding)).toBe(signer.binding)
      return { signer, signing, share }
    })
    const commitments = rounds.map(({ signing }) => signing.commitment)
    expect(mpc.bindingFactors(key, commitments, signed).map(toHex)).toEqual(
      rfc.signers.map(signer => signer.bindingFactor),
    )
    const z = rounds.map(({ signing, signer }) => {
      const { signatureShare } = signing.sign(commitments)
      expect(toHex(signatureShare)).toBe(signer.signatureShare)
      return Fn.fromBytes(signatureShare)
    })
    const sum = Fn.toBytes(z.reduce((a, b) => Fn.add(a, b), 0n))
    const signature = Buffer.concat([hex(rfc.signature).subarray(0, 32), sum])
    expect(signature.toString('hex')).toBe(rfc.signature)
    const weighted = rounds.map(({ share: { party, secret } }) =>
      Fn.mul(Fn.fromBytes(mpc.lagrangeCoefficient(['C', 'B2'], party)), Fn.fromBytes(secret)),
    )
    expect(toHex(Fn.toBytes(weighted.reduce((a, b) => Fn.add(a, b), 0n)))).toBe(rfc.groupSecretKey)
    verifies(signature, signed, key)
  })

  for (const scheme of SCHEME_NAMES) {
    const both = [generate(getPlan(scheme)), dealt(getPlan(scheme))]
    for (const signers of subsets(mpc.SCHEMES[scheme].parties, mpc.SCHEMES[scheme].threshold))
      it(`${scheme}: ${signers.join(' + ')} sign with FROST, as tweetnacl, noble and OpenSSL agree`, () => {
        for (const shares of both) verifies(sign(shares, signers, message), message, mpc.groupKey(getSet(shares)))
      })
  }

  it('signs with more signers than the threshold', () => {
    const shares = generate(getPlan('TWO_OF_THREE'))
    verifies(sign(shares, ['C', 'B1', 'R1'], message), message, mpc.groupKey(getSet(shares)))
  })
  it('signs an empty message, and a whole packet', () => {
    const shares = generate(getPlan('TWO_OF_TWO'))
    for (const length of [0, 1, 1232]) {
      const bytes = new Uint8Array(length).fill(0xa5)
      verifies(sign(shares, ['C', 'R1'], bytes), bytes, mpc.groupKey(getSet(shares)))
    }
  })
})

describe('a bad signature share', () => {
  const shares = generate(getPlan('THREE_OF_FIVE'))
  const begin = () => {
    const attempt = mpc.createFrameSigner(getShare(shares, 'C'), ['R1', 'R2']).begin(message)
    const request = text('request')
    const inputs = { request, message, received: [attempt.commitment] }
    const r1 = mpc.nobleCoSigner.begin({ share: getShare(shares, 'R1'), ...inputs })
    const r2 = mpc.nobleCoSigner.begin({ share: getShare(shares, 'R2'), ...inputs })
    const commitments = [attempt.commitment, r1.commitment, r2.commitment]
    return { attempt, answers: [r1.sign(commitments), r2.sign(commitments)] }
  }
  it('names the sender of a bad signature share', () => {
    for (const [i, party] of (['R1', 'R2'] as const).entries()) {
      const { attempt, answers } = begin()
      const bad = answers.map((answer, k) =>
        k === i ? { ...answer, signatureShare: new Uint8Array(32).fill(1) } : answer,
      )
      fails(() => attempt.finish(bad), mpc.signatureShareInvalid, 'finish-signature', party)
    }
  })
  it('refuses a signature share that is not a canonical scalar, instead of reducing it', () => {
    const { attempt, answers } = begin()
    const [first, second] = answers
    const { Fn } = ed25519.Point
    const value = Fn.fromBytes(take(second).signatureShare) + Fn.ORDER
    const unreduced = Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))
    expect(thrown(() => attempt.finish([take(first), { ...take(second), signatureShare: unreduced }]))).toEqual(
      blames(mpc.signatureShareInvalid, 'finish-signature', 'R2'),
    )
  })
  it('a signature share for another message than the frame’s names the relay that swapped the message', () => {
    const pair = generate(getPlan('TWO_OF_TWO'))
    const attempt = mpc.createFrameSigner(getShare(pair, 'C'), ['R1']).begin(message)
    const other = text('Pay 100 SOL to Eve.')
    const input = { share: getShare(pair, 'R1'), request: other, message: other, received: [attempt.commitment] }
    const signing = mpc.nobleCoSigner.begin(input)
    const answer = signing.sign([attempt.commitment, signing.commitment])
    fails(() => attempt.finish([answer]), mpc.signatureShareInvalid, 'finish-signature', 'R1')
  })
  it('refuses a signature share with a torsion component in its commitment before summing anything', () => {
    const { BASE, fromBytes } = ed25519.Point
    const torsion = fromBytes(hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'))
    const torsioned = BASE.multiply(7n).add(torsion).toBytes()
    const small = torsion.toBytes()
    const identity = ed25519.Point.ZERO.toBytes()
    const tooLarge = hex(`${'ee'.padEnd(62, 'f')}7f`)
    for (const point of [torsioned, small, identity, tooLarge])
      for (const which of ['hiding', 'binding'] as const) {
        const pair = dealt(getPlan('TWO_OF_TWO'))
        const attempt = mpc.createFrameSigner(getShare(pair, 'C'), ['R1']).begin(message)
        const input = { share: getShare(pair, 'R1'), request: message, message, received: [attempt.commitment] }
        const signing = mpc.nobleCoSigner.begin(input)
        const answer = signing.sign([attempt.commitment, signing.commitment])
        const bad = { ...answer, commitment: { ...answer.commitment, [which]: point } }
        fails(() => attempt.finish([bad]), mpc.pointInvalid, 'finish-signature', 'R1')
        const relay = mpc.nobleCoSigner.begin({ ...input, received: [] })
        const hostile = { ...attempt.commitment, [which]: point }
        fails(() => relay.sign([hostile, relay.commitment]), mpc.pointInvalid, 'co-sign', 'C')
      }
  })
})

describe('the signers', () => {
  const shares = dealt(getPlan('THREE_OF_FIVE'))
  const request = text('request')
  const begin = (party: mpc.Party, received: readonly mpc.SignCommitment[] = []) =>
    mpc.nobleCoSigner.begin({ share: getShare(shares, party), request, message, received })
  it('refuses signers that are too few, repeated, or not of the set', () => {
    const other = begin('R2').commitment
    const sign = (commitments: (own: mpc.SignCommitment) => readonly mpc.SignCommitment[]) => {
      const signing = begin('R1')
      return thrown(() => signing.sign(commitments(signing.commitment)))
    }
    expect(sign(ownCommitment => [ownCommitment, other])).toEqual(blames(mpc.sharesMissing, 'co-sign'))
    expect(sign(ownCommitment => [ownCommitment, other, other])).toEqual(blames(mpc.partyUnexpected, 'co-sign', 'R2'))
    const two = dealt(getPlan('TWO_OF_TWO'))
    const signing = mpc.nobleCoSigner.begin({ share: getShare(two, 'R1'), request, message, received: [] })
    fails(() => signing.sign([signing.commitment, other]), mpc.partyUnexpected, 'co-sign', 'R2')
  })
  it('refuses to sign if a commitment changed in transit, the signer’s own or a received commitment', () => {
    const [c, b1] = [begin('C').commitment, begin('B1').commitment]
    const changed = { ...c, hiding: b1.hiding }
    const signing = begin('R1', [c])
    fails(() => signing.sign([changed, b1, signing.commitment]), mpc.partyUnexpected, 'co-sign', 'C')
    const second = begin('R1')
    fails(
      () => second.sign([c, b1, { ...second.commitment, binding: b1.binding }]),
      mpc.partyUnexpected,
      'co-sign',
      'R1',
    )
  })
  it('each signer responds to the frame once, and no other party responds', () => {
    const attempt = () => mpc.createFrameSigner(getShare(shares, 'C'), ['R1', 'R2']).begin(message)
    const answer = (party: mpc.Party) => ({
      commitment: begin(party).commitment,
      signatureShare: new Uint8Array(32).fill(1),
    })
    const refused = (answers: readonly mpc.SignAnswer[], party: mpc.Party) =>
      fails(() => attempt().finish(answers), mpc.partyUnexpected, 'finish-signature', party)
    refused([answer('R1')], 'R2')
    refused([answer('R1'), answer('R2'), answer('R2')], 'R2')
    refused([answer('R1'), answer('B1')], 'B1')
  })
  it('refuses a frame signer with a wrong share or too few peers', () => {
    const share = getShare(shares, 'C')
    fails(() => mpc.createFrameSigner(share, ['R1']), mpc.planInvalid, 'plan')
    fails(() => mpc.createFrameSigner(share, ['C', 'R1']), mpc.planInvalid, 'plan')
    const wrong = { ...share, secret: getShare(shares, 'R1').secret }
    fails(() => mpc.createFrameSigner(wrong, ['R1', 'R2']), mpc.shareInvalid, 'finish-signature', 'C')
  })
  it('refuses to sign with an erased share', () => {
    const freshShares = dealt(getPlan('TWO_OF_TWO'))
    const share = getShare(freshShares, 'R1')
    mpc.eraseShare(share)
    expect(share.secret.every(byte => byte === 0)).toBe(true)
    fails(() => mpc.nobleCoSigner.begin({ share, request, message, received: [] }), mpc.shareInvalid, 'co-sign', 'R1')
  })
  it('signers never combine shares of two epochs or two sets', () => {
    const old = dealt(getPlan('TWO_OF_TWO'))
    const from = getSet(old)
    const refreshed = reshare(old, ['C', 'R1'], getPlan('TWO_OF_TWO', { epoch: 1 }))
    const further = reshare(old, ['C', 'R1'], getPlan('TWO_OF_TWO', { setId: 'phone' }))
    expect(mpc.groupKey(getSet(refreshed))).toEqual(mpc.groupKey(from))
    for (const [ownShares, peerShares] of [
      [old, refreshed],
      [refreshed, old],
      [old, further],
      [further, refreshed],
    ] as const) {
      const mixed = new Map([
        ['C', getShare(ownShares, 'C')],
        ['R1', getShare(peerShares, 'R1')],
      ] as const)
      fails(() => sign(mixed, ['C', 'R1'], message), mpc.signatureShareInvalid, 'finish-signature', 'R1')
      fails(() => mpc.combineShares([...mixed.values()]), mpc.setsMixed, 'combine', 'R1')
    }
  })
})
