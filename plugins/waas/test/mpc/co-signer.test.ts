/** The vectors that every `CoSigner` has to pass. That they are right is checked against plain `ed25519_FROST`, which shares no code with it. */
import { ed25519, ed25519_FROST as frost } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import vectors from '../../vectors/co-signer.json' with { type: 'json' }
import { hex, take, toHex } from './ceremonies.js'

const { anyPoint, codecs, decode, encode } = mpc

function read(vector: (typeof vectors.cases)[number]) {
  const share = decode(codecs.keyShare, hex(vector.share))
  const received = decode(codecs.signCommitments, hex(vector.received), anyPoint)
  const fixed = { fresh: hex(vector.fresh), request: hex(vector.request), message: hex(vector.message) }
  return { share, received, ...fixed, commitments: decode(codecs.signCommitments, hex(vector.commitments), anyPoint) }
}

function begin(vector: (typeof vectors.cases)[number]) {
  const { share, received, request, message, fresh } = read(vector)
  return mpc.nobleCoSigner.begin({ share, request, message, received, random: () => fresh })
}

describe('the co-signer vectors', () => {
  for (const vector of vectors.cases)
    it(`${vector.name}: the noble back end reproduces the co-signer vector`, () => {
      const signing = begin(vector)
      expect(toHex(encode(codecs.signCommitment, signing.commitment))).toBe(vector.commitment)
      expect(toHex(encode(codecs.signAnswer, signing.sign(read(vector).commitments)))).toBe(vector.answer)
    })
  for (const vector of vectors.cases)
    it(`${vector.name}: plain FROST reproduces the co-signer vector`, () => {
      const { share, fresh, request, message, received, commitments } = read(vector)
      const { hiding, binding } = mpc.nonceRandomness(fresh, request, message, received)
      const draws = [hiding, binding].map(nonce => Uint8Array.from(nonce))
      const name = (party: mpc.Party) => frost.Identifier.fromNumber(mpc.partyNumber(party))
      const secret = { identifier: name(share.party), signingShare: Uint8Array.from(share.secret) }
      const ownCommitment = frost.commit(secret, () => take(draws.shift()))
      const { set } = share
      const pub = {
        signers: { min: set.threshold, max: set.parties.length },
        commitments: set.commitments.map(commitment => Uint8Array.from(commitment)),
        verifyingShares: Object.fromEntries(
          set.parties.map(party => [name(party), Uint8Array.from(mpc.verifyingShare(set, party))]),
        ),
      }
      const list = commitments.map(commitment => ({
        identifier: name(commitment.party),
        hiding: Uint8Array.from(commitment.hiding),
        binding: Uint8Array.from(commitment.binding),
      }))
      const z = frost.signShare(secret, pub, ownCommitment.nonces, list, message)
      expect(toHex(z)).toBe(toHex(decode(codecs.signAnswer, hex(vector.answer)).signatureShare))
      const shares = { ...Object.fromEntries(vector.others.map(other => [other.identifier, hex(other.share)])) }
      const signature = frost.aggregate(pub, list, message, { ...shares, [secret.identifier]: z })
      expect(toHex(signature)).toBe(vector.signature)
      expect(ed25519.verify(signature, message, mpc.groupKey(set), { zip215: false })).toBe(true)
    })
  for (const refusal of vectors.refused)
    it(`the co-signer refuses: ${refusal.name}`, () => {
      const vector = take(vectors.cases.find(({ name }) => name === refusal.case))
      const signing = begin(vector)
      const commitments = decode(codecs.signCommitments, hex(refusal.commitments), anyPoint)
      expect(() => signing.sign(commitments)).toThrow(expect.objectContaining({ code: refusal.code }))
    })
})
