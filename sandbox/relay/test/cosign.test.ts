/** Runs the test vectors of every co-signer on libsodium. */
import { anyPoint, codecs, decode, encode } from '@keybay/waas/mpc'
import vectors from '@keybay/waas/vectors/co-signer.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { sodiumCoSigner } from '../src/cosign/sodium.js'

function hex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'))
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

type Vector = (typeof vectors.cases)[number]

function begin({ share, request, message, fresh, received }: Vector) {
  return sodiumCoSigner.begin({
    share: decode(codecs.keyShare, hex(share)),
    request: hex(request),
    message: hex(message),
    received: decode(codecs.signCommitments, hex(received), anyPoint),
    random: () => hex(fresh),
  })
}

describe('the co-signer’s vectors', () => {
  it.each(vectors.cases)('signs as the co-signer vector requires: $name', vector => {
    const signing = begin(vector)
    expect(toHex(encode(codecs.signCommitment, signing.commitment))).toBe(vector.commitment)
    const commitments = decode(codecs.signCommitments, hex(vector.commitments), anyPoint)
    expect(toHex(encode(codecs.signAnswer, signing.sign(commitments)))).toBe(vector.answer)
  })
  it.each(vectors.refused)('refuses the commitments of the co-signer vector: $name', refusal => {
    const vector = vectors.cases.find(({ name }) => name === refusal.case)
    if (!vector) throw new Error(refusal.case)
    const commitments = decode(codecs.signCommitments, hex(refusal.commitments), anyPoint)
    expect(() => begin(vector).sign(commitments)).toThrow(expect.objectContaining({ code: refusal.code }))
  })
})
