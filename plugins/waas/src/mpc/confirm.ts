/** Ends every ceremony: all parties have seen the same messages, and each holds the share that it claims. */
import { equalBytes } from '@keybay/kernel/spec'
import { digest } from './bytes.js'
import { fault, orFault, partyUnexpected, proofInvalid, transcriptDiffers } from './errors.js'
import { getGroup } from './group.js'
import type { Party } from './parties.js'
import { setHash, verifyingShare } from './set.js'
import type { KeyShare, ShareSet } from './types.js'

/** Compares in constant time. @throws `mpc_transcript_differs` naming the party with another transcript. */
export function confirmTranscript(transcript: Uint8Array, peerTranscript: Uint8Array, party: Party): void {
  if (transcript.length !== 32 || !equalBytes(transcript, peerTranscript))
    throw fault(transcriptDiffers, 'confirm', party)
}

/** `context` binds the proof to one occasion: a challenge of the verifier, or the ceremony's transcript. */
function proofMessage(set: ShareSet, party: Party, context: Uint8Array): Uint8Array {
  return digest(`share proof ${party}`, setHash(set), context)
}

/** Proves that the party holds its share of this set and epoch: a Schnorr signature, 64 bytes (secp256k1: 65). */
export function proveShare({ set, party, secret }: KeyShare, context: Uint8Array): Uint8Array {
  return orFault(
    () => getGroup(set.curve).sign(proofMessage(set, party, context), secret),
    proofInvalid,
    'prove-share',
    party,
  )
}

/** @throws `mpc_proof_invalid` naming the party. */
export function verifyShareProof(set: ShareSet, party: Party, context: Uint8Array, proof: Uint8Array): void {
  if (!set.parties.includes(party)) throw fault(partyUnexpected, 'prove-share', party)
  const key = verifyingShare(set, party)
  const message = proofMessage(set, party, context)
  const valid = orFault(() => getGroup(set.curve).verify(proof, message, key), proofInvalid, 'prove-share', party)
  if (!valid) throw fault(proofInvalid, 'prove-share', party)
}
