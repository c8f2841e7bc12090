/**
 * The frame's side of a signature, which computes its share last. One equation zG − cY = R stands for the check of every
 * share; only when it fails is each share checked, to name the faulty party.
 */
import type { EdwardsPoint } from '@noble/curves/abstract/edwards.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes, randomBytes } from '@noble/curves/utils.js'
import { createCopy, erase } from '../bytes.js'
import { fault, nonceUsed, orFault, planInvalid, signatureShareInvalid } from '../errors.js'
import { type Party, sortParties } from '../parties.js'
import { lagrange } from '../polynomial.js'
import { checkShare, groupKey, oneFromEach, verifyingShare } from '../set.js'
import type { KeyShare, ShareSet } from '../types.js'
import { openNonces, type SignAnswer } from './co-signer.js'
import { nonceRandomness, type SignCommitment } from './frost.js'
import { getDigits, getMultiples, ORDER } from './multiples.js'
import { commitTo, getSigners, type Part, signPart } from './part.js'

const { Point } = ed25519
const { Fn } = Point

/**
 * Window of the base point's table, in bits. Building it is the longest step of a page before its first signature. The
 * library's default, 6, has two thirds more points, and saves a fifth of each multiplication.
 */
const BASE_WINDOW = 5
let isWarm = false

/** Builds the table of the base point, which multiplies every share and nonce: about 12 ms, once per page. */
export function warmUpBase(): void {
  // Sets the size, and drops a table that is there.
  if (!isWarm) Point.BASE.precompute(BASE_WINDOW)
  isWarm = true
  Point.BASE.multiply(2n)
}

/** One signature's nonce pair, bound to its message. It is kept in memory only and serves one request. */
export interface FrameAttempt {
  readonly commitment: SignCommitment
  /**
   * Finishes once, with the first answer that arrived. Returns the 64-byte signature, verified.
   * @throws `mpc_nonce_used`; `mpc_signature_share_invalid`, `mpc_point_invalid`, `mpc_party_unexpected` naming the party
   */
  readonly finish: (answers: readonly SignAnswer[]) => Uint8Array
  /** Erases an unused nonce pair. Safe to repeat. */
  readonly erase: () => void
}

export interface FrameSigner {
  /**
   * Makes the nonces of one attempt from fresh bytes and the message: a machine that is resumed from a snapshot may draw
   * the same bytes again, and still has other nonces for another message.
   */
  readonly begin: (message: Uint8Array) => FrameAttempt
  /**
   * The work that the first signature adds, in steps of a few ms: tables, and code that has not run yet. For a page
   * that must stay responsive. Nothing of it is secret, and nothing depends on it.
   * @example for (const step of signer.warmUp) await new Promise(done => requestIdleCallback(() => done(step())))
   */
  readonly warmUp: readonly (() => void)[]
}

/**
 * Signs with one share and these other parties.
 * @throws `mpc_share_invalid` for a share of another set, `mpc_plan_invalid` for too few signers.
 * @example
 * const attempt = createFrameSigner(share, ['R1']).begin(message)
 * const answer = decode(codecs.signAnswer, await post(encode(codecs.signCommitment, attempt.commitment)), anyPoint)
 * const signature = attempt.finish([answer])
 */
export function createFrameSigner(share: KeyShare, peers: readonly Party[]): FrameSigner {
  const { set, party } = share
  checkShare(share, 'finish-signature')
  const fits = sortParties([party, ...peers]).filter(signer => set.parties.includes(signer)).length === peers.length + 1
  if (!fits || set.curve !== 'ed25519' || peers.length + 1 < set.threshold) throw fault(planInvalid, 'plan')
  // A small table (3 ms, at the first signature) makes c·Y three times faster.
  const key = ed25519.Point.fromBytes(groupKey(set)).precompute(4)
  const some = getDigits(Fn.ORDER - 3n)
  const begin = (message: Uint8Array): FrameAttempt => {
    const fresh = randomBytes(32)
    const copy = createCopy(message)
    const nonces = openNonces(share, nonceRandomness(fresh, new Uint8Array(), copy, []))
    erase(fresh)
    const commitment = commitTo(party, nonces)
    let used = false
    const drop = (): void => {
      used = true
      erase(nonces.hiding, nonces.binding)
    }
    return {
      commitment,
      erase: drop,
      finish: receivedAnswers => {
        if (used) throw fault(nonceUsed, 'finish-signature', party)
        used = true
        try {
          const answers = oneFromEach(peers, receivedAnswers, answer => answer.commitment.party, 'finish-signature')
          const commitments = [commitment, ...answers.map(answer => answer.commitment)]
          const signers = getSigners(set, commitments, [commitment], 'finish-signature')
          return aggregate(set, key, signPart(share, nonces, signers, copy, 'finish-signature'), answers)
        } finally {
          drop()
        }
      },
    }
  }
  return {
    warmUp: [
      () => begin(new Uint8Array()).erase(),
      () => void key.multiplyUnsafe(Fn.ORDER - 3n),
      () => void getMultiples(Point.BASE, [ORDER]),
      () => void getMultiples(Point.BASE, [ORDER, some]),
    ],
    begin,
  }
}

function aggregate(set: ShareSet, key: EdwardsPoint, part: Part, answers: readonly SignAnswer[]): Uint8Array {
  const shares = answers.map(({ commitment: { party }, signatureShare }) => ({
    party,
    z: orFault(() => Fn.fromBytes(signatureShare), signatureShareInvalid, 'finish-signature', party),
  }))
  const z = shares.reduce((sum, answer) => Fn.add(sum, answer.z), part.share)
  const expected = Point.BASE.multiplyUnsafe(z).subtract(key.multiplyUnsafe(part.challenge))
  if (expected.equals(part.groupCommitment)) return concatBytes(part.encoded, Fn.toBytes(z))
  const wrong = shares.find(answer => !isShareOf(set, part, answer.party, answer.z))
  throw fault(signatureShareInvalid, 'finish-signature', wrong?.party)
}

/** zᵢG = Dᵢ + ρᵢEᵢ + c·λᵢ·Yᵢ */
function isShareOf(set: ShareSet, { parts, challenge, signers }: Part, party: Party, z: bigint): boolean {
  const weight = Fn.mul(challenge, lagrange('ed25519', signers, party))
  const key = Point.fromBytes(verifyingShare(set, party)).multiplyUnsafe(weight)
  return parts.get(party)?.add(key).equals(Point.BASE.multiplyUnsafe(z)) ?? false
}
