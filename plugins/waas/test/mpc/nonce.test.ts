/** Shows why a nonce serves once, and that it cannot serve twice. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, it, vi } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import { coSigning } from '../../src/mpc/sign/co-signer.js'
import { blames, dealt, fails, getPlan, getSet, getShare, take, text, thrown, toHex } from './ceremonies.js'

const { Fn } = ed25519.Point
const shares = dealt(getPlan('TWO_OF_TWO'))
const [device, relay] = [getShare(shares, 'C'), getShare(shares, 'R1')]
const key = mpc.groupKey(getSet(shares))
const messages = ['one', 'two', 'three'].map(text)

interface Seen {
  readonly message: Uint8Array
  readonly commitments: readonly mpc.SignCommitment[]
  readonly answer: mpc.SignAnswer
}

/** Computes the share s from three answers z = d + ρe + λcs with the same d and e, as the other side could. */
function extract(seen: readonly Seen[]): string {
  const rows = seen.map(({ message, commitments, answer }) => {
    const [ownFactor = 0n, other = 0n] = mpc
      .bindingFactors(key, commitments, message)
      .map(factor => Fn.fromBytes(factor))
    const factors = commitments.map((commitment, i) => {
      const [d, e] = [commitment.hiding, commitment.binding].map(bytes => ed25519.Point.fromBytes(bytes))
      return take(d).add(take(e).multiply(take([ownFactor, other][i])))
    })
    const sum = factors.reduce((a, b) => a.add(b)).toBytes()
    const c = Fn.fromBytes(mpc.challenge(sum, key, message))
    const lambda = Fn.fromBytes(mpc.lagrangeCoefficient(['C', 'R1'], 'R1'))
    return { rho: other, weight: Fn.mul(lambda, c), z: Fn.fromBytes(answer.signatureShare) }
  })
  const [a, b, c] = [take(rows[0]), take(rows[1]), take(rows[2])]
  // Differences take d away; then e; what is left is s.
  const [r1, w1, z1] = [Fn.sub(a.rho, b.rho), Fn.sub(a.weight, b.weight), Fn.sub(a.z, b.z)]
  const [r2, w2, z2] = [Fn.sub(a.rho, c.rho), Fn.sub(a.weight, c.weight), Fn.sub(a.z, c.z)]
  const [numerator, denominator] = [Fn.sub(Fn.mul(z1, r2), Fn.mul(z2, r1)), Fn.sub(Fn.mul(w1, r2), Fn.mul(w2, r1))]
  return toHex(Fn.toBytes(Fn.div(numerator, denominator)))
}

/** Asks the relay for three messages, its nonces made as `begin` says. */
function askThrice(begin: (message: Uint8Array, received: readonly mpc.SignCommitment[]) => mpc.CoSigning) {
  return messages.map((message): Seen => {
    const { commitment } = mpc.createFrameSigner(device, ['R1']).begin(message)
    const signing = begin(message, [commitment])
    const commitments = [commitment, signing.commitment]
    return { message, commitments, answer: signing.sign(commitments) }
  })
}

describe('nonces', () => {
  it('nonces that are used for three messages reveal the share', () => {
    const randomness = (): mpc.NoncePair => ({
      hiding: new Uint8Array(32).fill(1),
      binding: new Uint8Array(32).fill(2),
    })
    const seen = askThrice((message, received) => coSigning({ share: relay, message, received }, randomness()))
    expect(extract(seen)).toBe(toHex(relay.secret))
  })
  it('nonces differ for each message and commitment, also on a machine restored from a snapshot', () => {
    const random = (length: number) => new Uint8Array(length).fill(7)
    const request = text('the same request')
    const begin = (message: Uint8Array, received: readonly mpc.SignCommitment[]) =>
      mpc.nobleCoSigner.begin({ share: relay, request, message, received, random })
    const seen = askThrice(begin)
    expect(new Set(seen.map(({ answer }) => toHex(answer.commitment.hiding))).size).toBe(3)
    expect(extract(seen)).not.toBe(toHex(relay.secret))
    const { commitment } = mpc.createFrameSigner(device, ['R1']).begin(text('same'))
    const [first, second] = [begin(text('same'), [commitment]), begin(text('same'), [])]
    expect(first.commitment).not.toEqual(second.commitment)
  })
  it('a frame that is resumed from a snapshot has other nonces for another message', () => {
    const draw = vi.spyOn(crypto, 'getRandomValues').mockImplementation(array => array)
    const signer = mpc.createFrameSigner(device, ['R1'])
    const [one, same, two] = ['one', 'one', 'two'].map(message => signer.begin(text(message)).commitment)
    draw.mockRestore()
    expect(same).toEqual(one)
    expect(two?.hiding).not.toEqual(one?.hiding)
    expect(two?.binding).not.toEqual(one?.binding)
  })
  it('two identical signing requests get fresh nonces each', () => {
    const input = { share: relay, request: text('request'), message: text('message'), received: [] }
    const made = Array.from({ length: 20 }, () => toHex(mpc.nobleCoSigner.begin(input).commitment.hiding))
    expect(new Set(made).size).toBe(20)
    const signer = mpc.createFrameSigner(device, ['R1'])
    expect(
      new Set(Array.from({ length: 20 }, () => toHex(signer.begin(text('message')).commitment.binding))).size,
    ).toBe(20)
  })
  it('nonces work once at a relay, also after a failed use, and never after they were dropped', () => {
    const attempt = mpc.createFrameSigner(device, ['R1']).begin(text('message'))
    const input = { share: relay, request: text('request'), message: text('message'), received: [attempt.commitment] }
    const used = blames(mpc.nonceUsed, 'co-sign', 'R1')
    const signing = mpc.nobleCoSigner.begin(input)
    signing.sign([attempt.commitment, signing.commitment])
    expect(thrown(() => signing.sign([attempt.commitment, signing.commitment]))).toEqual(used)
    const failed = mpc.nobleCoSigner.begin(input)
    fails(() => failed.sign([failed.commitment]), mpc.partyUnexpected, 'co-sign', 'C')
    expect(thrown(() => failed.sign([attempt.commitment, failed.commitment]))).toEqual(used)
    const dropped = mpc.nobleCoSigner.begin(input)
    dropped.erase()
    dropped.erase()
    expect(thrown(() => dropped.sign([attempt.commitment, dropped.commitment]))).toEqual(used)
  })
  it('nonces work once even if the commitments call back while they are read', () => {
    const message = text('message')
    const attempt = mpc.createFrameSigner(device, ['R1']).begin(message)
    const signing = mpc.nobleCoSigner.begin({ share: relay, request: message, message, received: [] })
    const commitments = [attempt.commitment, signing.commitment]
    let inner: unknown
    const hostile = {
      ...attempt.commitment,
      get party(): mpc.Party {
        inner ??= thrown(() => signing.sign(commitments))
        return 'C'
      },
    }
    expect(signing.sign([hostile, signing.commitment]).signatureShare).toHaveLength(32)
    expect(inner).toEqual(blames(mpc.nonceUsed, 'co-sign', 'R1'))
  })
  it('nonces work once at the frame: for the first response, good or bad', () => {
    const message = text('message')
    const attempt = mpc.createFrameSigner(device, ['R1']).begin(message)
    const signing = mpc.nobleCoSigner.begin({ share: relay, request: message, message, received: [attempt.commitment] })
    const answer = signing.sign([attempt.commitment, signing.commitment])
    const bad = { ...answer, signatureShare: new Uint8Array(32).fill(1) }
    fails(() => attempt.finish([bad]), mpc.signatureShareInvalid, 'finish-signature', 'R1')
    fails(() => attempt.finish([answer]), mpc.nonceUsed, 'finish-signature', 'C')
  })
  it('nonces sign their own message, whatever happens to its buffer', () => {
    const message = text('pay Ada')
    const attempt = mpc.createFrameSigner(device, ['R1']).begin(message)
    const signing = mpc.nobleCoSigner.begin({ share: relay, request: message, message, received: [attempt.commitment] })
    message.fill(0x41)
    const answer = signing.sign([attempt.commitment, signing.commitment])
    expect(attempt.finish([answer])).toHaveLength(64)
  })
})
