/** Both kinds of creation, and every way in which one party may cheat. */
import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'
import { openingHash } from '../../src/mpc/dkg.js'
import * as mpc from '../../src/mpc/index.js'
import {
  accepted,
  blames,
  fails,
  fresh,
  generate,
  getPlan,
  getSet,
  getShare,
  SCHEME_NAMES,
  sent,
  subsets,
  take,
  text,
  thrown,
  toHex,
} from './ceremonies.js'

function start(plan: mpc.SetPlan) {
  return plan.parties.map(party => mpc.dkgStart(plan, party))
}

describe('distributed key generation', () => {
  for (const scheme of SCHEME_NAMES)
    it(`${scheme}: all parties hold the same set, and any threshold of them the same key`, () => {
      const plan = getPlan(scheme)
      const shares = generate(plan)
      const hash = toHex(mpc.setHash(getSet(shares)))
      for (const share of shares.values()) {
        expect(toHex(mpc.setHash(share.set))).toBe(hash)
        mpc.checkShare(share)
        const proof = mpc.proveShare(share, text('challenge'))
        mpc.verifyShareProof(share.set, share.party, text('challenge'), proof)
      }
      const scalars = subsets(plan.parties, plan.threshold).map(parties =>
        toHex(mpc.combineShares(parties.map(party => getShare(shares, party)))),
      )
      expect(new Set(scalars).size).toBe(1)
    })

  it('detects a rogue key that was chosen after the others’ openings', () => {
    const plan = getPlan('TWO_OF_TWO')
    const [c, r1] = start(plan)
    const commitments = [take(c).message, take(r1).message]
    const opened = [mpc.dkgOpen(take(c).state, commitments), mpc.dkgOpen(take(r1).state, commitments)]
    // R1 waits for C's opening and subtracts C's key from its own, so that the sum would be R1's alone.
    const [peerOpening, ownOpening] = [take(opened[0]).message, take(opened[1]).message]
    const [a, b] = [peerOpening, ownOpening].map(opening => ed25519.Point.fromBytes(take(opening.commitments[0])))
    const rogue = {
      ...ownOpening,
      commitments: [take(b).subtract(take(a)).toBytes(), ...ownOpening.commitments.slice(1)],
    }
    fails(() => mpc.dkgDeal(take(opened[0]).state, [peerOpening, rogue]), mpc.commitmentBroken, 'dkg-deal', 'R1')
  })
  it('detects a committed rogue key by its missing proof of knowledge', () => {
    const plan = getPlan('TWO_OF_TWO')
    const [c, r1, other] = [...start(plan), mpc.dkgStart(plan, 'R1')]
    // R1 knows C's opening in advance, and commits to a rogue key with the only proof it can make: of its own key.
    const a = ed25519.Point.fromBytes(take(take(c).state.opening.commitments[0]))
    const { opening } = take(r1).state
    const first = ed25519.Point.fromBytes(take(opening.commitments[0])).subtract(a).toBytes()
    for (const proof of [opening.proof, take(other).state.opening.proof, new Uint8Array(64)]) {
      const rogue = { ...opening, commitments: [first, ...opening.commitments.slice(1)], proof }
      const state = { ...take(r1).state, opening: rogue }
      const hash = openingHash(plan, rogue)
      const commitments = [take(c).message, { party: 'R1', hash }] as const
      const ownOpened = mpc.dkgOpen(take(c).state, commitments)
      const peerOpened = mpc.dkgOpen(state, commitments)
      fails(
        () => mpc.dkgDeal(ownOpened.state, [ownOpened.message, peerOpened.message]),
        mpc.proofInvalid,
        'dkg-deal',
        'R1',
      )
    }
  })
  it('refuses a replayed opening of another party or ceremony', () => {
    const plan = getPlan('TWO_OF_THREE')
    const started = start(plan)
    const commitments = started.map(({ message }) => message)
    const opened = started.map(({ state }) => mpc.dkgOpen(state, commitments))
    const openings = opened.map(({ message }) => message)
    const replayed = { ...take(openings[0]), party: 'R1' as const }
    const deal = (all: readonly mpc.DkgOpening[]) => thrown(() => mpc.dkgDeal(take(opened[0]).state, all))
    expect(deal([...openings.slice(0, 2), replayed])).toEqual(blames(mpc.commitmentBroken, 'dkg-deal', 'R1'))
    expect(deal([...openings.slice(0, 2), take(openings[0])])).toEqual(blames(mpc.partyUnexpected, 'dkg-deal', 'C'))
    expect(deal(openings.slice(0, 2))).toEqual(blames(mpc.partyUnexpected, 'dkg-deal', 'R1'))
    // The same party's commitment of an earlier ceremony: its own opening no longer fits the plan.
    const earlier = mpc.dkgStart(getPlan('TWO_OF_THREE'), 'R1')
    const mixed = [...commitments.slice(0, 2), earlier.message]
    const again = mpc.dkgOpen(take(started[0]).state, mixed)
    fails(
      () => mpc.dkgDeal(again.state, [...openings.slice(0, 2), earlier.state.opening]),
      mpc.commitmentBroken,
      'dkg-deal',
      'R1',
    )
    // A rogue opening that is committed to, with the old proof.
    const committed = [
      ...commitments.slice(0, 2),
      { party: 'R1' as const, hash: openingHash(plan, earlier.state.opening) },
    ]
    const third = mpc.dkgOpen(take(started[0]).state, committed)
    fails(
      () => mpc.dkgDeal(third.state, [...openings.slice(0, 2), earlier.state.opening]),
      mpc.proofInvalid,
      'dkg-deal',
      'R1',
    )
  })
  it('stops a party that opens too early or whose commitment was changed', () => {
    const plan = getPlan('TWO_OF_THREE')
    const started = start(plan)
    const commitments = started.map(({ message }) => message)
    fails(() => mpc.dkgOpen(take(started[0]).state, commitments.slice(0, 2)), mpc.partyUnexpected, 'dkg-open', 'R1')
    const changed = [{ ...take(commitments[0]), hash: new Uint8Array(32) }, ...commitments.slice(1)]
    fails(() => mpc.dkgOpen(take(started[0]).state, changed), mpc.commitmentBroken, 'dkg-open', 'C')
  })
  it('blames the dealer for a wrong degree, a torsioned commitment and a bad sub-share', () => {
    const plan = getPlan('TWO_OF_TWO')
    const [c, r1] = start(plan)
    const torsion = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
    const { opening } = take(r1).state
    const [first, second] = opening.commitments
    const variants = [
      [{ ...opening, commitments: [take(first)] }, mpc.degreeWrong],
      [{ ...opening, commitments: [take(first), take(second), take(second)] }, mpc.degreeWrong],
      [
        { ...opening, commitments: [take(first), ed25519.Point.fromBytes(take(second)).add(torsion).toBytes()] },
        mpc.pointInvalid,
      ],
    ] as const
    for (const [bad, spec] of variants) {
      const commitments = [take(c).message, { party: 'R1', hash: openingHash(plan, bad) }] as const
      const opened = mpc.dkgOpen(take(c).state, commitments)
      fails(() => mpc.dkgDeal(opened.state, [opened.message, bad]), spec, 'dkg-deal', 'R1')
    }
    const commitments = [take(c).message, take(r1).message]
    const [ownOpened, peerOpened] = [mpc.dkgOpen(take(c).state, commitments), mpc.dkgOpen(take(r1).state, commitments)]
    const dealt = mpc.dkgDeal(ownOpened.state, [ownOpened.message, peerOpened.message])
    const bad = { from: 'R1', to: 'C', secret: new Uint8Array(32).fill(3) } as const
    fails(() => mpc.dkgFinish(dealt.state, [bad]), mpc.shareInvalid, 'dkg-finish', 'R1')
    fails(() => mpc.dkgFinish(dealt.state, []), mpc.partyUnexpected, 'dkg-finish', 'R1')
  })
  it('key generation erases the dealt values after the share exists, and gives all parties one transcript', () => {
    const plan = getPlan('TWO_OF_TWO')
    const started = start(plan)
    const commitments = started.map(({ message }) => message)
    const opened = started.map(({ state }) => mpc.dkgOpen(state, commitments))
    const openings = opened.map(({ message }) => message)
    const [c, r1] = opened.map(({ state }) => mpc.dkgDeal(state, openings))
    const toR1 = take(c).message.map(subShare => sent(mpc.codecs.subShare, subShare))
    const ownOutcome = mpc.dkgFinish(take(c).state, take(r1).message)
    expect(take(c).state.subShares.every(({ secret }) => secret.every(byte => byte === 0))).toBe(true)
    const peerOutcome = mpc.dkgFinish(take(r1).state, toR1)
    mpc.confirmTranscript(ownOutcome.transcript, peerOutcome.transcript, 'R1')
    const other = generateOutcomeTranscript()
    fails(() => mpc.confirmTranscript(ownOutcome.transcript, other, 'R1'), mpc.transcriptDiffers, 'confirm', 'R1')
    fails(() => mpc.confirmTranscript(new Uint8Array(), new Uint8Array(), 'R1'), mpc.transcriptDiffers, 'confirm', 'R1')
  })
  it('key generation refuses a party outside the plan', () => {
    fails(() => mpc.dkgStart(getPlan('TWO_OF_TWO'), 'B1'), mpc.planInvalid, 'plan', 'B1')
  })
})

function generateOutcomeTranscript(): Uint8Array {
  const plan = getPlan('TWO_OF_TWO')
  return mpc.dealTranscript(mpc.dealImported(plan, fresh(32)))
}

function run(plan: mpc.SetPlan) {
  const parties = mpc.entropyParties(plan)
  const started = parties.map(party => mpc.entropyStart(plan, party))
  const commitments = started.map(({ message }) => sent(mpc.codecs.entropyCommitment, message))
  const states = started.map(({ state }) => sent(mpc.codecs.entropyState, state))
  const [frame, ...relays] = states
  const openings = relays.map(state => sent(mpc.codecs.entropyOpening, mpc.entropyOpen(state, commitments)))
  return { frame: take(frame), relays, commitments, openings }
}

describe('an exportable key', () => {
  for (const scheme of SCHEME_NAMES)
    it(`${scheme}: an exportable key comes from the entropy of both sides, and its seed opens for any threshold`, () => {
      const plan = getPlan(scheme)
      const { frame, relays, commitments, openings } = run(plan)
      const all = [frame, ...relays].map(({ entropy }) => entropy.slice())
      const seed = Uint8Array.from({ length: 32 }, (_, i) => all.reduce((bits, entropy) => bits ^ (entropy[i] ?? 0), 0))
      const deal = mpc.dealCreated(frame, commitments, openings)
      expect(frame.entropy.every(byte => byte === 0)).toBe(true)
      expect(openings.every(({ entropy }) => entropy.every(byte => byte === 0))).toBe(true)
      const shares = accepted(plan, deal)
      expect(mpc.groupKey(getSet(shares))).toEqual(ed25519.getPublicKey(seed))
      for (const parties of subsets(plan.parties, plan.threshold)) {
        const key = mpc.exportSolanaKey(
          parties.map(party => getShare(shares, party)),
          take(deal.sealedSeed),
        )
        expect(toHex(key)).toBe(toHex(seed) + toHex(ed25519.getPublicKey(seed)))
      }
    })
  it('names a relay whose opening differs from its commitment, and deals nothing', () => {
    const { frame, commitments, openings } = run(getPlan('THREE_OF_FIVE'))
    for (const i of [0, 1]) {
      const bad = openings.map((opening, k) => (k === i ? { ...opening, entropy: fresh(32) } : opening))
      fails(() => mpc.dealCreated(frame, commitments, bad), mpc.commitmentBroken, 'entropy-open', i ? 'R2' : 'R1')
    }
    fails(() => mpc.dealCreated(frame, commitments, openings.slice(1)), mpc.partyUnexpected, 'entropy-open', 'R1')
  })
  it('detects a frame that draws its entropy again after the relay’s opening', () => {
    const { frame, commitments, openings } = run(getPlan('TWO_OF_TWO'))
    fails(
      () => mpc.dealCreated({ ...frame, entropy: fresh(32) }, commitments, openings),
      mpc.commitmentBroken,
      'entropy-open',
      'C',
    )
  })
  it('lets no relay open before all parties have committed', () => {
    const { relays, commitments } = run(getPlan('TWO_OF_TWO'))
    fails(() => mpc.entropyOpen(take(relays[0]), commitments.slice(1)), mpc.partyUnexpected, 'entropy-open', 'C')
  })
  it('takes no entropy from backup parties', () => {
    fails(() => mpc.entropyStart(getPlan('TWO_OF_THREE'), 'B1'), mpc.planInvalid, 'plan', 'B1')
  })
})

describe('a dealt share', () => {
  const plan = getPlan('TWO_OF_THREE')
  const deal = mpc.dealImported(plan, fresh(32))
  const ownSubShare = take(deal.subShares.find(({ to }) => to === 'R1'))
  const accept = (dealPackage: mpc.DealPackage, subShare = ownSubShare, agreed = plan) =>
    thrown(() => mpc.acceptDeal(agreed, 'R1', dealPackage, subShare))
  it('refuses a dealt share for another plan, for another party, or off the polynomial', () => {
    expect(accept(deal)).toBeUndefined()
    expect(accept(deal, ownSubShare, getPlan('TWO_OF_THREE'))).toEqual(blames(mpc.planInvalid, 'accept-deal', 'C'))
    expect(accept(deal, { ...ownSubShare, to: 'B1' })).toEqual(blames(mpc.partyUnexpected, 'accept-deal', 'C'))
    expect(accept(deal, { ...ownSubShare, secret: fresh(32).fill(0, 31) })).toEqual(
      blames(mpc.shareInvalid, 'accept-deal', 'C'),
    )
    const short = { ...deal, set: { ...deal.set, commitments: deal.set.commitments.slice(1) } }
    expect(accept(short)).toEqual(blames(mpc.degreeWrong, 'accept-deal', 'C'))
  })
  it('a dealt share has another transcript with another sealed seed', () => {
    const other = mpc.dealTranscript({ ...deal, sealedSeed: fresh(60) })
    expect(toHex(other)).not.toBe(toHex(mpc.dealTranscript(deal)))
  })
  it('a dealt share exists for a creation only, and its seed and scalar are erased', () => {
    const seed = fresh(32)
    mpc.dealImported(getPlan('TWO_OF_TWO'), seed)
    expect(seed.every(byte => byte === 0)).toBe(true)
    const scalar = ed25519_FROST.utils.randomScalar()
    mpc.dealScalar(getPlan('TWO_OF_TWO'), scalar)
    expect(scalar.every(byte => byte === 0)).toBe(true)
    fails(() => mpc.dealImported(getPlan('TWO_OF_TWO', { epoch: 1 }), fresh(32)), mpc.planInvalid, 'plan')
    fails(() => mpc.dealImported(getPlan('TWO_OF_TWO', { curve: 'secp256k1' }), fresh(32)), mpc.planInvalid, 'plan')
  })
})
