/** The ceremonies as the parties run them, each message through the wire codec. */
import { expect } from 'vitest'
import * as mpc from '../../src/mpc/index.js'

const { codecs, decode, encode } = mpc
mpc.enableSecp256k1()

export const SCHEME_NAMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const
export type SchemeName = (typeof SCHEME_NAMES)[number]
export type Shares = ReadonlyMap<mpc.Party, mpc.KeyShare>

export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

export function hex(value: string): Uint8Array {
  return Uint8Array.from(Buffer.from(value, 'hex'))
}

export function toHex(value: Uint8Array): string {
  return Buffer.from(value).toString('hex')
}

export function fresh(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** The same bytes in the middle of other memory. `slice` of a `Buffer` is a view, that of an array is a copy. */
export const VIEWS: Readonly<Record<'subarray' | 'Buffer', (bytes: Uint8Array) => Uint8Array>> = {
  subarray: bytes => Uint8Array.of(...fresh(5), ...bytes, ...fresh(3)).subarray(5, 5 + bytes.length),
  Buffer: bytes => Buffer.concat([fresh(7), bytes, fresh(2)]).subarray(7, 7 + bytes.length),
}

/** A value through the wire. */
export function sent<T>(codec: mpc.Codec<T>, value: T): T {
  return decode(codec, encode(codec, value))
}

let ceremonies = 0

export function getPlan(scheme: SchemeName, other: Partial<mpc.SetPlan> = {}): mpc.SetPlan {
  return {
    ceremonyId: `ceremony-${++ceremonies}`,
    walletId: 'wallet-1',
    setId: 'primary',
    epoch: 0,
    curve: 'ed25519',
    ...mpc.SCHEMES[scheme],
    ...other,
  }
}

export function take<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing there')
  return value
}

export function getShare(shares: Shares, party: mpc.Party): mpc.KeyShare {
  return take(shares.get(party))
}

export function getSet(shares: Shares): mpc.ShareSet {
  return take([...shares.values()][0]).set
}

/** The code, step and party of an error. */
export function blames(spec: { readonly code: string }, step: string, party?: mpc.Party): unknown {
  return expect.objectContaining({ code: spec.code, details: party ? { step, party } : { step } })
}

export function thrown(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

/** Expects an error with this code, step and party. */
export function fails(act: () => unknown, spec: { readonly code: string }, step: string, party?: mpc.Party): void {
  expect(thrown(act)).toEqual(blames(spec, step, party))
}

export async function rejects(
  act: Promise<unknown>,
  ...fault: readonly [spec: { readonly code: string }, step: string, party?: mpc.Party]
): Promise<void> {
  await expect(act).rejects.toEqual(blames(...fault))
}

/** Everybody's outcome, whose transcripts agree. */
function agreed(outcomes: readonly mpc.Outcome[]): Shares {
  const { transcript } = take(outcomes[0])
  for (const outcome of outcomes) mpc.confirmTranscript(transcript, outcome.transcript, outcome.share.party)
  return new Map(outcomes.map(({ share }) => [share.party, share]))
}

function subShareCodec(curve: mpc.Curve): mpc.Codec<mpc.SubShare> {
  return curve === 'ed25519' ? codecs.subShare : codecs.subShareSecp256k1
}

export function generate(plan: mpc.SetPlan): Shares {
  const started = plan.parties.map(party => mpc.dkgStart(plan, party))
  const commitments = started.map(({ message }) => sent(codecs.dkgCommitment, message))
  const opened = started.map(({ state }) => mpc.dkgOpen(sent(codecs.dkgStarted, state), commitments))
  const openings = opened.map(({ message }) => sent(codecs.dkgOpening, message))
  const dealt = opened.map(({ state }) => mpc.dkgDeal(sent(codecs.dkgOpened, state), openings))
  const subShares = dealt.flatMap(({ message }) => message.map(subShare => sent(subShareCodec(plan.curve), subShare)))
  return agreed(
    dealt.map(({ state }) =>
      mpc.dkgFinish(
        sent(codecs.dkgDealt, state),
        subShares.filter(({ to }) => to === state.opening.party),
      ),
    ),
  )
}

export function accepted(plan: mpc.SetPlan, deal: mpc.Deal): Shares {
  const subShares = deal.subShares.map(subShare => sent(subShareCodec(plan.curve), subShare))
  return agreed(
    plan.parties.map(party =>
      mpc.acceptDeal(plan, party, sent(codecs.dealPackage, deal), take(subShares.find(({ to }) => to === party))),
    ),
  )
}

/** An imported key's shares. */
export function dealt(plan: mpc.SetPlan, seed: Uint8Array = fresh(32)): Shares {
  return accepted(plan, mpc.dealImported(plan, seed))
}

export function reshare(from: Shares, dealers: readonly mpc.Party[], next: mpc.SetPlan): Shares {
  const plan = sent(codecs.resharePlan, { from: getSet(from), dealers, next, policyHash: fresh(32) })
  const deals = dealers.map(party => mpc.reshareDeal(plan, getShare(from, party)))
  const dealings = deals.map(({ dealing }) => sent(codecs.reshareDealing, dealing))
  const subShares = deals.flatMap(deal => deal.subShares.map(sub => sent(subShareCodec(next.curve), sub)))
  return agreed(
    next.parties.map(party =>
      mpc.reshareReceive(
        plan,
        party,
        dealings,
        subShares.filter(({ to }) => to === party),
      ),
    ),
  )
}

/** The first signs like the frame, the others like relays: the second forwards to the third, if there is one. */
export function sign(
  shares: Shares,
  signers: readonly mpc.Party[],
  message: Uint8Array,
  coSigner: mpc.CoSigner = mpc.nobleCoSigner,
): Uint8Array {
  const [frame, ...relays] = signers
  const attempt = mpc.createFrameSigner(getShare(shares, take(frame)), relays).begin()
  const commitments = [sent(codecs.signCommitment, attempt.commitment)]
  const request = text('request-1')
  const signings = relays.map(party => {
    const signing = coSigner.begin({ share: getShare(shares, party), request, message, received: [...commitments] })
    commitments.push(sent(codecs.signCommitment, signing.commitment))
    return signing
  })
  const answers = signings.map(signing => sent(codecs.signAnswer, signing.sign(commitments)))
  return attempt.finish(message, answers)
}

/** Every subset of this size. */
export function subsets<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]]
  return items.flatMap((item, i) => subsets(items.slice(i + 1), size - 1).map(rest => [item, ...rest]))
}
