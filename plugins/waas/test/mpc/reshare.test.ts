/** Moving a key between schemes, epochs and sets; every way in which a dealer may cheat; and dying half-way. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import {
  blames,
  dealt,
  fails,
  fresh,
  generate,
  getPlan,
  getSet,
  getShare,
  reshare,
  SCHEME_NAMES,
  type Shares,
  sent,
  sign,
  subsets,
  take,
  text,
  thrown,
  toHex,
} from './ceremonies.js'

const message = text('after the resharing')
const policyHash = fresh(32)

function getDealers(set: mpc.ShareSet): readonly mpc.Party[] {
  return mpc.sortParties(
    ['C', 'R1', 'R2', 'B1']
      .flatMap(candidate => set.parties.find(party => party === candidate) ?? [])
      .slice(0, set.threshold),
  )
}

describe('resharing', () => {
  for (const from of SCHEME_NAMES)
    for (const to of SCHEME_NAMES)
      it(`resharing ${from} → ${to} keeps the address, and old shares do not combine with new shares`, () => {
        const old = generate(getPlan(from))
        const key = toHex(mpc.groupKey(getSet(old)))
        const next = reshare(old, getDealers(getSet(old)), getPlan(to, { epoch: 1 }))
        expect(toHex(mpc.groupKey(getSet(next)))).toBe(key)
        for (const share of next.values()) mpc.checkShare(share)
        const { parties, threshold } = getSet(next)
        const [signers] = subsets(parties, threshold)
        const signature = sign(next, take(signers), message)
        expect(ed25519.verify(signature, message, Uint8Array.from(Buffer.from(key, 'hex')), { zip215: false })).toBe(
          true,
        )
        const newcomers = parties.slice(1, threshold).map(party => getShare(next, party))
        fails(
          () => mpc.combineShares([getShare(old, 'C'), ...newcomers]),
          mpc.setsMixed,
          'combine',
          take(newcomers[0]).party,
        )
        // An old share that is passed off as a new one does not fit the arithmetic.
        const disguised = { ...getShare(old, 'C'), set: getSet(next) }
        fails(() => mpc.combineShares([disguised, ...newcomers]), mpc.shareInvalid, 'combine', 'C')
      })
  it('resharing works with any threshold of dealers, repeatedly', () => {
    let shares: Shares = dealt(getPlan('THREE_OF_FIVE'))
    const key = mpc.groupKey(getSet(shares))
    for (const [i, dealers] of subsets(getSet(shares).parties, 3).entries()) {
      shares = reshare(shares, dealers, getPlan('THREE_OF_FIVE', { epoch: i + 1 }))
      expect(mpc.groupKey(getSet(shares))).toEqual(key)
    }
    expect(sign(shares, ['B1', 'B2', 'R2'], message)).toHaveLength(64)
  })
  it('resharing creates an additional set, which signs with its own holder and relays only', () => {
    for (const scheme of SCHEME_NAMES) {
      const primary = dealt(getPlan(scheme))
      const sharing = mpc.additionalSharing(scheme)
      const phone = reshare(primary, getDealers(getSet(primary)), getPlan(scheme, { setId: 'phone', ...sharing }))
      expect(mpc.groupKey(getSet(phone))).toEqual(mpc.groupKey(getSet(primary)))
      expect(getSet(phone)).toMatchObject({ epoch: 0, setId: 'phone', parties: sharing.parties })
      expect(sign(phone, sharing.parties, message)).toHaveLength(64)
      expect(sign(primary, getDealers(getSet(primary)), message)).toHaveLength(64)
      // Revoked: the relays erased their half. The holder's share is useless with the relays' share of the primary set.
      const mixed = [
        getShare(phone, 'C'),
        ...['R1', 'R2'].flatMap(relay => [...primary.values()].filter(({ party }) => party === relay)),
      ]
      fails(() => mpc.combineShares(mixed), mpc.setsMixed, 'combine', 'R1')
    }
  })
  it('resharing leaves the old set unchanged until the commit', () => {
    const old = dealt(getPlan('TWO_OF_THREE'))
    const before = [...old.values()].map(({ secret }) => toHex(secret))
    reshare(old, ['C', 'R1'], getPlan('TWO_OF_THREE', { epoch: 1 }))
    expect([...old.values()].map(({ secret }) => toHex(secret))).toEqual(before)
    expect(sign(old, ['C', 'R1'], message)).toHaveLength(64)
  })
})

describe('a reshare plan', () => {
  const old = dealt(getPlan('TWO_OF_THREE'))
  const from = getSet(old)
  const deal = (dealers: readonly mpc.Party[], next: mpc.SetPlan) =>
    thrown(() => mpc.reshareDeal({ from, dealers, next, policyHash }, getShare(old, 'C')))
  it('refuses a reshare plan with too few dealers, a repeated dealer, a stranger, or another order', () => {
    const next = getPlan('TWO_OF_THREE', { epoch: 1 })
    expect(deal(['C'], next)).toEqual(blames(mpc.sharesMissing, 'plan'))
    expect(deal(['C', 'C'], next)).toEqual(blames(mpc.planInvalid, 'plan'))
    expect(deal(['C', 'R2'], next)).toEqual(blames(mpc.planInvalid, 'plan'))
    expect(deal(['R1', 'C'], next)).toEqual(blames(mpc.planInvalid, 'plan'))
    expect(deal(['B1', 'R1'], next)).toEqual(blames(mpc.planInvalid, 'reshare-deal', 'C'))
  })
  it('refuses a reshare plan for another wallet or curve, a wrong next epoch, or a new set not starting at epoch 0', () => {
    for (const next of [
      getPlan('TWO_OF_THREE', { epoch: 1, walletId: 'wallet-2' }),
      getPlan('TWO_OF_THREE', { epoch: 1, curve: 'secp256k1' }),
      getPlan('TWO_OF_THREE', { epoch: 0 }),
      getPlan('TWO_OF_THREE', { epoch: 2 }),
      getPlan('TWO_OF_TWO', { epoch: 1, setId: 'phone' }),
    ])
      expect(deal(['C', 'R1'], next)).toEqual(blames(mpc.planInvalid, 'plan'))
  })
  it('refuses to deal a reshare with a share of another set or with a broken share', () => {
    const plan = { from, dealers: ['C', 'R1'], next: getPlan('TWO_OF_THREE', { epoch: 1 }), policyHash } as const
    const other = dealt(getPlan('TWO_OF_THREE'))
    fails(() => mpc.reshareDeal(plan, getShare(other, 'C')), mpc.planInvalid, 'reshare-deal', 'C')
    const broken = { ...getShare(old, 'C'), secret: getShare(other, 'C').secret }
    fails(() => mpc.reshareDeal(plan, broken), mpc.shareInvalid, 'reshare-deal', 'C')
  })
})

describe('a malicious dealer', () => {
  const old = dealt(getPlan('TWO_OF_THREE'))
  const plan = {
    from: getSet(old),
    dealers: ['C', 'R1'],
    next: getPlan('TWO_OF_THREE', { epoch: 1 }),
    policyHash,
  } as const
  const deals = () => plan.dealers.map(party => mpc.reshareDeal(plan, getShare(old, party)))
  /** B1, new in this epoch, receives; R1's dealing is replaced by a bad one. */
  const receive = (change: (deal: mpc.ReshareDealt) => mpc.ReshareDealt, others?: mpc.ReshareDealt) => {
    const [c, r1] = deals()
    const all = [others ?? take(c), change(take(r1))]
    const subShares = all.flatMap(deal => deal.subShares.filter(({ to }) => to === 'B1'))
    const dealings = all.map(({ dealing }) => dealing)
    return thrown(() => mpc.reshareReceive(plan, 'B1', dealings, subShares))
  }
  const withCommitments = (deal: mpc.ReshareDealt, commitments: readonly Uint8Array[]): mpc.ReshareDealt => ({
    ...deal,
    dealing: { ...deal.dealing, commitments },
  })
  const blamesR1 = (spec: { readonly code: string }) => blames(spec, 'reshare-receive', 'R1')

  it('names a reshare dealer for dealing another constant, which would change the key', () => {
    expect(receive(deal => deal)).toBeUndefined()
    const other = mpc.reshareDeal({ ...plan, from: getSet(old) }, getShare(old, 'R1'))
    expect(receive(() => other)).toBeUndefined()
    // An honest deal of another secret, complete in itself.
    const foreign = dealt(getPlan('TWO_OF_THREE'))
    const foreignPlan = { ...plan, from: getSet(foreign) }
    expect(receive(() => mpc.reshareDeal(foreignPlan, getShare(foreign, 'R1')))).toEqual(blamesR1(mpc.constantChanged))
    // The share itself, without its weight.
    const sum = ed25519.Point.fromBytes(mpc.verifyingShare(getSet(old), 'R1')).toBytes()
    expect(receive(deal => withCommitments(deal, [sum, ...deal.dealing.commitments.slice(1)]))).toEqual(
      blamesR1(mpc.constantChanged),
    )
  })
  it('names a reshare dealer for dealing for another threshold, higher or lower', () => {
    expect(receive(deal => withCommitments(deal, deal.dealing.commitments.slice(0, 1)))).toEqual(
      blamesR1(mpc.degreeWrong),
    )
    expect(
      receive(deal => withCommitments(deal, [...deal.dealing.commitments, take(deal.dealing.commitments[1])])),
    ).toEqual(blamesR1(mpc.degreeWrong))
  })
  it('names a reshare dealer for a sub-share off its polynomial', () => {
    for (const secret of [fresh(32).fill(0, 31), new Uint8Array(32), new Uint8Array(32).fill(255), new Uint8Array(31)])
      expect(
        receive(deal => ({ ...deal, subShares: deal.subShares.map(subShare => ({ ...subShare, secret })) })),
      ).toEqual(blamesR1(mpc.shareInvalid))
    // Another party's sub-share.
    expect(
      receive(deal => ({
        ...deal,
        subShares: deal.subShares.filter(({ to }) => to === 'C').map(subShare => ({ ...subShare, to: 'B1' })),
      })),
    ).toEqual(blamesR1(mpc.shareInvalid))
  })
  it('names a reshare dealer for a torsion component or an identity in a commitment', () => {
    const torsion = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
    for (const point of [
      (bytes: Uint8Array) => ed25519.Point.fromBytes(bytes).add(torsion).toBytes(),
      () => ed25519.Point.ZERO.toBytes(),
      () => torsion.toBytes(),
    ])
      expect(
        receive(deal => {
          const [first, second] = deal.dealing.commitments
          return withCommitments(deal, [take(first), point(take(second))])
        }),
      ).toEqual(blamesR1(mpc.pointInvalid))
  })
  it('names a reshare dealer for dealing twice, for another party, or not at all', () => {
    const [c, r1] = deals()
    const subShares = [take(c), take(r1)].flatMap(deal => deal.subShares.filter(({ to }) => to === 'B1'))
    const run = (dealings: readonly mpc.ReshareDealing[], received = subShares) =>
      thrown(() => mpc.reshareReceive(plan, 'B1', dealings, received))
    const [first, second] = [take(c).dealing, take(r1).dealing]
    expect(run([first])).toEqual(blamesR1(mpc.partyUnexpected))
    expect(run([first, second, second])).toEqual(blamesR1(mpc.partyUnexpected))
    expect(run([first, { ...second, party: 'B1' }])).toEqual(blames(mpc.partyUnexpected, 'reshare-receive', 'B1'))
    expect(run([first, { ...second, party: 'C' }])).toEqual(blames(mpc.partyUnexpected, 'reshare-receive', 'C'))
    expect(run([first, second], subShares.slice(0, 1))).toEqual(blamesR1(mpc.partyUnexpected))
    expect(run([first, { ...second, curve: 'secp256k1' }])).toEqual(blamesR1(mpc.planInvalid))
  })
  it('two parties get different transcripts when a reshare dealer sends them different commitments', () => {
    const [c, r1] = deals()
    const again = mpc.reshareDeal(plan, getShare(old, 'R1'))
    const outcome = (party: mpc.Party, all: readonly (mpc.ReshareDealt | undefined)[]) =>
      mpc.reshareReceive(
        plan,
        party,
        all.map(deal => take(deal).dealing),
        all.flatMap(deal => take(deal).subShares.filter(({ to }) => to === party)),
      )
    const [ownOutcome, peerOutcome] = [outcome('C', [c, r1]), outcome('B1', [c, again])]
    fails(
      () => mpc.confirmTranscript(ownOutcome.transcript, peerOutcome.transcript, 'B1'),
      mpc.transcriptDiffers,
      'confirm',
      'B1',
    )
    expect(mpc.reshareSet(plan, [take(c).dealing, take(r1).dealing])).toEqual(ownOutcome.share.set)
    expect(mpc.reshareTranscript(plan, [take(r1).dealing, take(c).dealing])).toEqual(ownOutcome.transcript)
    const otherPolicy = { ...plan, policyHash: fresh(32) }
    expect(mpc.reshareTranscript(otherPolicy, [take(r1).dealing, take(c).dealing])).not.toEqual(ownOutcome.transcript)
  })
})

describe('a reshare in two phases', () => {
  /** One resharing, until all parties hold a pending share. */
  const prepared = () => {
    const old = dealt(getPlan('TWO_OF_THREE'))
    const plan: mpc.ResharePlan = {
      from: getSet(old),
      dealers: ['C', 'R1'],
      next: getPlan('TWO_OF_THREE', { epoch: 1 }),
      policyHash,
    }
    const deals = plan.dealers.map(party => mpc.reshareDeal(plan, getShare(old, party)))
    const outcomes = plan.next.parties.map(party =>
      mpc.reshareReceive(
        plan,
        party,
        deals.map(({ dealing }) => dealing),
        deals.flatMap(({ subShares }) =>
          subShares.filter(({ to }) => to === party).map(subShare => sent(mpc.codecs.subShare, subShare)),
        ),
      ),
    )
    const epochs = outcomes.map(
      outcome => mpc.proposeEpoch({ current: getShare(old, outcome.share.party) }, outcome).epochs,
    )
    return { old, epochs, transcript: take(outcomes[0]).transcript }
  }
  const current = (epochs: readonly mpc.Epochs[]): Shares =>
    new Map(epochs.map(epoch => [take(epoch.current).party, take(epoch.current)]))

  it('a reshare signs with the old epoch before the commit, and only with the new epoch after the commit', () => {
    const { old, epochs, transcript } = prepared()
    expect(sign(current(epochs), ['C', 'R1'], message)).toHaveLength(64)
    const changes = epochs.map(epoch => mpc.commitEpoch(epoch, transcript))
    const committed = changes.map(change => change.epochs)
    mpc.eraseShare(...changes.flatMap(({ dropped }) => dropped))
    expect(sign(current(committed), ['B1', 'R1'], message)).toHaveLength(64)
    expect([...old.values()].every(({ secret }) => secret.every(byte => byte === 0))).toBe(true)
  })
  it('an aborted reshare keeps the old epoch and drops the pending shares, and the abort may be repeated', () => {
    const { old, epochs } = prepared()
    const changes = epochs.map(epoch => mpc.abortEpoch(epoch))
    mpc.eraseShare(...changes.flatMap(({ dropped }) => dropped))
    const keptEpochs = changes.map(change => mpc.abortEpoch(change.epochs).epochs)
    expect(current(keptEpochs)).toEqual(old)
    expect(sign(current(keptEpochs), ['C', 'R1'], message)).toHaveLength(64)
  })
  it('a reshare leaves exactly one epoch that can sign, whichever party dies before the commit', () => {
    const { epochs, transcript } = prepared()
    const [c, b1, r1] = epochs.map(epoch => take(epoch))
    const relay = mpc.commitEpoch(take(r1), transcript).epochs
    // The relay has committed, the device died before it heard of it: it still holds both, and its old share is of no use alone.
    const late = current([take(c), take(b1), relay])
    fails(() => sign(late, ['C', 'R1'], message), mpc.signatureShareInvalid, 'finish-signature', 'R1')
    const caughtUp = current([mpc.commitEpoch(take(c), transcript).epochs, take(b1), relay])
    expect(sign(caughtUp, ['C', 'R1'], message)).toHaveLength(64)
  })
  it('a reshare commits only the pending ceremony, and proposes no skipped epoch and no other key', () => {
    const { epochs, transcript } = prepared()
    const epoch = take(epochs[0])
    fails(() => mpc.commitEpoch(epoch, new Uint8Array(32)), mpc.epochUnexpected, 'epoch')
    fails(() => mpc.commitEpoch({ current: epoch.current }, transcript), mpc.epochUnexpected, 'epoch')
    const pending = take(epoch.pending)
    const skipped = { ...pending, share: { ...pending.share, set: { ...pending.share.set, epoch: 3 } } }
    fails(() => mpc.proposeEpoch(epoch, skipped), mpc.epochUnexpected, 'epoch', 'C')
    const foreign = reshare(dealt(getPlan('TWO_OF_THREE')), ['C', 'R1'], getPlan('TWO_OF_THREE', { epoch: 1 }))
    const other = { ...pending, share: getShare(foreign, 'C') }
    fails(() => mpc.proposeEpoch(epoch, other), mpc.groupKeyChanged, 'epoch')
    expect(mpc.proposeEpoch(epoch, pending).dropped).toEqual([pending.share])
  })
  it('proves a share without revealing the share, for one set, one epoch, one party and one occasion', () => {
    const { old, epochs } = prepared()
    const next = take(take(epochs[0]).pending).share
    const context = text('challenge of the relay')
    const proof = mpc.proveShare(next, context)
    mpc.verifyShareProof(next.set, 'C', context, proof)
    const refused = (set: mpc.ShareSet, party: mpc.Party, about: Uint8Array, shareProof: Uint8Array) =>
      fails(() => mpc.verifyShareProof(set, party, about, shareProof), mpc.proofInvalid, 'prove-share', party)
    refused(getSet(old), 'C', context, proof)
    refused({ ...next.set, epoch: 7 }, 'C', context, proof)
    refused({ ...next.set, setId: 'phone' }, 'C', context, proof)
    refused(next.set, 'B1', context, proof)
    refused(next.set, 'C', text('another challenge'), proof)
    refused(next.set, 'C', context, mpc.proveShare(getShare(old, 'C'), context))
    refused(next.set, 'C', context, new Uint8Array(64))
    refused(next.set, 'C', context, new Uint8Array())
    fails(() => mpc.verifyShareProof(next.set, 'R2', context, proof), mpc.partyUnexpected, 'prove-share', 'R2')
  })
})
