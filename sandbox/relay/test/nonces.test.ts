/**
 * Extraction of a share from repeated nonces, tried on the relay: an attacker who gets several signature shares under
 * one nonce pair can solve for the secret. The attack works on a deliberately broken co-signer and finds nothing here.
 */

import * as mpc from '@keybay/waas/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'
import { sodiumCoSigner } from '../src/cosign/sodium.js'
import {
  asDevice,
  ask,
  b64,
  create,
  getShare,
  importKey,
  newSeed,
  only,
  sha256,
  sign,
  text,
  unb64,
  type Wallet,
} from './frame/index.js'
import { getSharedWorld } from './world.js'

const world = await getSharedWorld()
const r1 = only(world.r1)
const user = await world.user()

const { Fn, BASE } = ed25519.Point

interface Seen {
  readonly message: Uint8Array
  readonly commitments: readonly mpc.SignCommitment[]
  readonly answer: mpc.SignAnswer
}

/** Solves z = d + ρe + λ·s·c: three equations with the same d and e give s. */
function extract(key: Uint8Array, seen: readonly Seen[]): bigint | undefined {
  const rows = seen.map(({ message, commitments, answer }) => {
    const factors = mpc.bindingFactors(key, commitments, message).map(bindingFactor => Fn.fromBytes(bindingFactor))
    const index = commitments.findIndex(commitment => commitment.party === answer.commitment.party)
    const sum = commitments.reduce((point, commitment, at) => {
      const part = ed25519.Point.fromBytes(commitment.hiding).add(
        ed25519.Point.fromBytes(commitment.binding).multiply(factors[at] ?? 1n),
      )
      return point.add(part)
    }, ed25519.Point.ZERO)
    const c = Fn.fromBytes(mpc.challenge(sum.toBytes(), key, message))
    const weight = Fn.fromBytes(
      mpc.lagrangeCoefficient(
        commitments.map(commitment => commitment.party),
        answer.commitment.party,
      ),
    )
    return { z: Fn.fromBytes(answer.signatureShare), rho: factors[index] ?? 0n, c: Fn.mul(weight, c) }
  })
  const [one, two, three] = rows
  if (!one || !two || !three) return undefined
  const minus = (a: typeof one, b: typeof one) => ({
    z: Fn.sub(a.z, b.z),
    rho: Fn.sub(a.rho, b.rho),
    c: Fn.sub(a.c, b.c),
  })
  const [first, second] = [minus(one, two), minus(one, three)]
  const divisor = Fn.sub(Fn.mul(first.c, second.rho), Fn.mul(second.c, first.rho))
  if (divisor === 0n) return undefined
  return Fn.div(Fn.sub(Fn.mul(first.z, second.rho), Fn.mul(second.z, first.rho)), divisor)
}

function isShare(wallet: Wallet, secret: bigint | undefined): boolean {
  return (
    secret !== undefined &&
    secret !== 0n &&
    b64(BASE.multiply(secret).toBytes()) === b64(mpc.verifyingShare(getShare(wallet, 'C').set, 'R1'))
  )
}

/** Requests a signature share for exactly these bytes and this commitment. */
async function shareFor(wallet: Wallet, message: Uint8Array, commitment: mpc.SignCommitment, claims?: object) {
  const { setId, walletId } = wallet
  const body = {
    setId,
    kind: 'message',
    message: b64(message),
    commitment: b64(mpc.encode(mpc.codecs.signCommitment, commitment)),
  }
  const signers = ['C', 'R1']
  const operation = asDevice(wallet, 'signMessage', {
    hash: sha256(message),
    signers,
    consent: true,
    ...(claims && { claims }),
  })
  const { status, body: answer } = await ask(r1, user, `/wallets/${walletId}/sign`, body, operation)
  if (status !== 200) return undefined
  const [first] = answer.answers
  const decoded = mpc.decode(mpc.codecs.signAnswer, unb64(first), mpc.anyPoint)
  return { message, commitments: [commitment, decoded.commitment], answer: decoded }
}

function expectSafe(wallet: Wallet, seen: readonly (Seen | undefined)[]) {
  const all = seen.filter(result => result !== undefined)
  expect(all.length).toBeGreaterThanOrEqual(3)
  expect(new Set(all.map(({ answer }) => b64(answer.commitment.hiding))).size).toBe(all.length)
  expect(new Set(all.map(({ answer }) => b64(answer.commitment.binding))).size).toBe(all.length)
  for (let first = 0; first + 2 < all.length; first++)
    expect(isShare(wallet, extract(mpc.groupKey(getShare(wallet, 'C').set), all.slice(first, first + 3)))).toBe(false)
}

describe('the extraction', () => {
  it('extracts the share of a co-signer whose nonces repeat', async () => {
    // With an imported key the test also knows the relay's share.
    const { wallet } = await importKey(r1, user, newSeed(), 'TWO_OF_THREE')
    const key = mpc.groupKey(getShare(wallet, 'C').set)
    const frame = mpc.createFrameSigner(getShare(wallet, 'C'), ['B1'])
    const share = getShare(wallet, 'B1')
    const stuck = new Uint8Array(32).fill(7)
    const broken = (coSigner: mpc.CoSigner, message: Uint8Array): Seen => {
      const commitment = frame.begin(text('hello')).commitment
      // The nonces ignore the commitment, as at a relay that keeps a nonce for a second try.
      const same = coSigner.begin({
        share,
        request: new Uint8Array(),
        message,
        received: [],
        random: () => stuck.slice(),
      })
      return { message, commitments: [commitment, same.commitment], answer: same.sign([commitment, same.commitment]) }
    }
    const message = text('the same message')
    const seen = [1, 2, 3].map(() => broken(mpc.nobleCoSigner, message))
    const secret = extract(key, seen)
    expect(secret !== undefined && b64(BASE.multiply(secret).toBytes())).toBe(
      b64(mpc.verifyingShare(getShare(wallet, 'C').set, 'B1')),
    )
  })

  it('extracts nothing after retries of the same message with the same commitment', async () => {
    const wallet = await create(r1, user)
    const { commitment } = mpc.createFrameSigner(getShare(wallet, 'C'), ['R1']).begin(text('hello'))
    const seen = []
    for (let attempt = 0; attempt < 6; attempt++) seen.push(await shareFor(wallet, text('again'), commitment))
    expectSafe(wallet, seen)
  })

  it('extracts nothing from parallel requests', async () => {
    const wallet = await create(r1, user)
    const { commitment } = mpc.createFrameSigner(getShare(wallet, 'C'), ['R1']).begin(text('hello'))
    const seen = await Promise.all(Array.from({ length: 8 }, () => shareFor(wallet, text('parallel'), commitment)))
    expectSafe(wallet, seen)
  })

  it('a device signature yields a single signature share, however often the signature is sent', async () => {
    const wallet = await create(r1, user)
    const { commitment } = mpc.createFrameSigner(getShare(wallet, 'C'), ['R1']).begin(text('hello'))
    const claims = { jti: 'the-same-signature' }
    const seen = await Promise.all(Array.from({ length: 5 }, () => shareFor(wallet, text('once'), commitment, claims)))
    expect(seen.filter(result => result !== undefined)).toHaveLength(1)
  })
})

describe('libsodium', () => {
  it('libsodium uses other nonces for another message or commitment, even with the same random bytes', async () => {
    const { wallet } = await importKey(r1, user, newSeed(), 'TWO_OF_THREE')
    const frame = mpc.createFrameSigner(getShare(wallet, 'C'), ['B1'])
    const random = () => new Uint8Array(32).fill(1)
    const begin = (message: Uint8Array, received: readonly mpc.SignCommitment[]) =>
      b64(
        sodiumCoSigner.begin({ share: getShare(wallet, 'B1'), request: text('r'), message, received, random })
          .commitment.hiding,
      )
    const [one, two] = [frame.begin(text('hello')).commitment, frame.begin(text('hello')).commitment]
    expect(new Set([begin(text('a'), [one]), begin(text('b'), [one]), begin(text('a'), [two])]).size).toBe(3)
    expect(begin(text('a'), [one])).toBe(begin(text('a'), [one]))
  })
  it('libsodium refuses points outside the prime-order group, of both kinds and in both places', async () => {
    const { wallet } = await importKey(r1, user, newSeed(), 'TWO_OF_THREE')
    const good = mpc.createFrameSigner(getShare(wallet, 'C'), ['B1']).begin(text('hello')).commitment
    const torsion = ed25519.Point.fromBytes(Uint8Array.of(0xec, ...new Uint8Array(30).fill(0xff), 0x7f))
    const eighth = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
    const bad = [
      ed25519.Point.ZERO.toBytes(),
      torsion.toBytes(),
      eighth.toBytes(),
      ed25519.Point.fromBytes(good.hiding).add(torsion).toBytes(),
      ed25519.Point.fromBytes(good.hiding).add(eighth).toBytes(),
      // Not canonical: y = p + 1, which equals y = 1.
      Uint8Array.of(0xee, ...new Uint8Array(30).fill(0xff), 0x7f),
      new Uint8Array(32).fill(0xff),
    ]
    for (const point of bad) {
      for (const place of ['hiding', 'binding'] as const) {
        const commitment = { ...good, [place]: point }
        const signing = sodiumCoSigner.begin({
          share: getShare(wallet, 'B1'),
          request: text('r'),
          message: text('m'),
          received: [commitment],
        })
        expect(() => signing.sign([commitment, signing.commitment])).toThrow(
          expect.objectContaining({ code: 'mpc_point_invalid' }),
        )
      }
    }
  })
  it('libsodium signs once, for its own commitments, for enough parties', async () => {
    const wallet = await create(r1, user, { scheme: 'TWO_OF_THREE' })
    const [commitment, other] = [1, 2].map(
      () => mpc.createFrameSigner(getShare(wallet, 'C'), ['R1']).begin(text('hello')).commitment,
    )
    if (!commitment || !other) throw new Error('no commitments')
    const begin = () =>
      sodiumCoSigner.begin({
        share: getShare(wallet, 'B1'),
        request: text('r'),
        message: text('m'),
        received: [commitment],
      })
    const used = begin()
    used.sign([commitment, used.commitment])
    const code = (expected: string) => expect.objectContaining({ code: expected })
    expect(() => used.sign([commitment, used.commitment])).toThrow(code('mpc_nonce_used'))
    const dropped = begin()
    dropped.erase()
    expect(() => dropped.sign([commitment, dropped.commitment])).toThrow(code('mpc_nonce_used'))
    const changed = begin()
    expect(() => changed.sign([other, changed.commitment])).toThrow(code('mpc_party_unexpected'))
    const alone = sodiumCoSigner.begin({
      share: getShare(wallet, 'B1'),
      request: text('r'),
      message: text('m'),
      received: [],
    })
    expect(() => alone.sign([alone.commitment])).toThrow(code('mpc_shares_missing'))
    const twice = begin()
    expect(() => twice.sign([commitment, commitment, twice.commitment])).toThrow(code('mpc_party_unexpected'))
  })
  it('the relay refuses a bad point over the network, and the device signature is used up', async () => {
    const wallet = await create(r1, user)
    const { commitment } = mpc.createFrameSigner(getShare(wallet, 'C'), ['R1']).begin(text('hello'))
    const bad = { ...commitment, hiding: ed25519.Point.ZERO.toBytes() }
    const bytes = Uint8Array.from([...mpc.encode(mpc.codecs.signCommitment, commitment)])
    const at = Buffer.from(bytes).indexOf(Buffer.from(commitment.hiding))
    bytes.set(bad.hiding, at)
    expect(await sign(r1, wallet, text('m'), { body: { commitment: b64(bytes) } })).toMatchObject({
      status: 400,
      body: { code: 'bad_share' },
    })
    expect((await sign(r1, wallet, text('m'))).status).toBe(200)
  })
})
