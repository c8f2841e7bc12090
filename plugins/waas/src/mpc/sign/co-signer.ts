/** The relay's side of a signature. The nonces exist in one closure only, serve one signature, and are always erased. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { randomBytes } from '@noble/curves/utils.js'
import { createCopy, erase } from '../bytes.js'
import { fault, nonceUsed, orFault, shareInvalid } from '../errors.js'
import type { KeyShare, RandomBytes } from '../types.js'
import { type NoncePair, nonceRandomness, noncesFrom, type SignCommitment } from './frost.js'
import { commitTo, getSigners, signPart } from './part.js'

export interface SignAnswer {
  readonly commitment: SignCommitment
  /** The scalar z, 32 bytes. */
  readonly signatureShare: Uint8Array
}

export interface CoSignInput {
  readonly share: KeyShare
  /** The request's hash. Any bytes. */
  readonly request: Uint8Array
  /** The whole message to sign. */
  readonly message: Uint8Array
  /** The other signers' commitments received so far. */
  readonly received: readonly SignCommitment[]
  /** Called once for 32 fresh bytes. Only tests and vectors replace it. */
  readonly random?: RandomBytes
}

/** One signature's nonce pair. */
export interface CoSigning {
  readonly commitment: SignCommitment
  /**
   * Signs once, with the commitments of all signers, its own included.
   * @throws `mpc_nonce_used` the second time; `mpc_point_invalid`, `mpc_party_unexpected` naming the party;
   *   `mpc_shares_missing`.
   */
  readonly sign: (commitments: readonly SignCommitment[]) => SignAnswer
  /** Erases an unused nonce pair. Safe to repeat. */
  readonly erase: () => void
}

/** An implementation of the co-signer. All pass the same vectors and give the same bytes for the same `random`. */
export interface CoSigner {
  /** @throws `mpc_share_invalid` for an erased share; `mpc_party_unexpected`. */
  readonly begin: (input: CoSignInput) => CoSigning
}

/**
 * The implementation on `@noble/curves`.
 * @example
 * const signing = nobleCoSigner.begin({ share, request, message, received: [fromFrame] })
 * return signing.sign([fromFrame, signing.commitment])
 */
export const nobleCoSigner: CoSigner = {
  begin: ({ share, request, message, received, random = randomBytes }) => {
    const fresh = random(32)
    const randomness = nonceRandomness(fresh, request, message, received)
    erase(fresh)
    return coSigning({ share, message, received }, randomness)
  },
}

/** Begins with the given randomness of RFC 9591's nonce_generate, which it erases. */
export function coSigning(
  { share, message, received }: Pick<CoSignInput, 'share' | 'message' | 'received'>,
  randomness: NoncePair,
): CoSigning {
  const nonces = openNonces(share, randomness)
  const commitment = commitTo(share.party, nonces)
  const copy = createCopy(message)
  let used = false
  const drop = (): void => {
    used = true
    erase(nonces.hiding, nonces.binding)
  }
  return {
    commitment,
    erase: drop,
    sign: commitments => {
      if (used) throw fault(nonceUsed, 'co-sign', share.party)
      used = true
      try {
        const signers = getSigners(share.set, commitments, [commitment, ...received], 'co-sign')
        const { share: z } = signPart(share, nonces, signers, copy, 'co-sign')
        return { commitment, signatureShare: ed25519.Point.Fn.toBytes(z) }
      } finally {
        drop()
      }
    },
  }
}

/** @throws `mpc_share_invalid` for a share that was erased, or belongs to another curve. */
export function openNonces({ set, party, secret }: KeyShare, randomness: NoncePair): NoncePair {
  const { Fn } = ed25519.Point
  const usable = set.curve === 'ed25519' && orFault(() => !Fn.is0(Fn.fromBytes(secret)), shareInvalid, 'co-sign', party)
  if (!usable) throw fault(shareInvalid, 'co-sign', party)
  return noncesFrom(randomness, secret)
}
