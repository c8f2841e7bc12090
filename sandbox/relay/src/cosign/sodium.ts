/**
 * Co-signer on libsodium (WebAssembly): many times faster than the noble co-signer, with the same bytes for the same
 * randomness. The co-signer trusts no point: libsodium's addition accepts points outside the prime-order group and can
 * silently return the identity, so both points of every other signer are validated first. Scalars come from hashes that
 * libsodium reduces, or through mpc's codec, which accepts only canonical scalars. Only our copies are overwritten:
 * libsodium's wrapper frees its own memory without wiping it.
 */
import { randomBytes } from 'node:crypto'
import {
  type CoSigner,
  type CoSigning,
  erase,
  fault,
  groupKey,
  type KeyShare,
  lagrangeCoefficient,
  type NoncePair,
  nonceUsed,
  orFault,
  type Party,
  partyUnexpected,
  pointInvalid,
  type SignCommitment,
  shareInvalid,
  sharesMissing,
  sortParties,
} from '@keybay/waas/mpc'
import sodium from 'libsodium-wrappers-sumo'
import { bindingFactors, challenge, nonceRandomness, noncesFrom } from './hashes.js'

await sodium.ready

export const sodiumCoSigner: CoSigner = {
  begin({ share, request, message, received, random = length => randomBytes(length) }): CoSigning {
    const { set, party, secret } = share
    if (set.curve !== 'ed25519' || secret.length !== 32 || secret.every(byte => byte === 0))
      throw fault(shareInvalid, 'co-sign', party)
    const fresh = random(32)
    const nonces = noncesFrom(nonceRandomness(fresh, request, message, received), secret)
    erase(fresh)
    const commitment = { party, hiding: timesBase(nonces.hiding), binding: timesBase(nonces.binding) }
    const copy = new Uint8Array(message)
    let used = false
    const drop = (): void => {
      used = true
      erase(nonces.hiding, nonces.binding)
    }
    return {
      commitment,
      erase: drop,
      sign(commitments) {
        if (used) throw fault(nonceUsed, 'co-sign', party)
        used = true
        try {
          const signers = getSigners(share, commitments, [commitment, ...received])
          return { commitment, signatureShare: signatureShare(share, nonces, signers, copy) }
        } finally {
          drop()
        }
      },
    }
  },
}

function add(a: Uint8Array, b: Uint8Array): Uint8Array {
  return sodium.crypto_core_ed25519_scalar_add(a, b)
}

function multiply(a: Uint8Array, b: Uint8Array): Uint8Array {
  return sodium.crypto_core_ed25519_scalar_mul(a, b)
}

function timesBase(scalar: Uint8Array): Uint8Array {
  return sodium.crypto_scalarmult_ed25519_base_noclamp(scalar)
}

function isSame(a: SignCommitment, b: SignCommitment): boolean {
  return a.party === b.party && !Buffer.compare(a.hiding, b.hiding) && !Buffer.compare(a.binding, b.binding)
}

/** Returns the signers ordered by identifier: distinct parties of the set, enough of them, known commitments kept. */
function getSigners(
  { set }: KeyShare,
  commitments: readonly SignCommitment[],
  known: readonly SignCommitment[],
): readonly SignCommitment[] {
  const sorted = sortParties(commitments.map(commitment => commitment.party)).flatMap(party =>
    set.parties.includes(party) ? commitments.filter(commitment => commitment.party === party) : [],
  )
  const twice = sorted.find((commitment, index) => sorted[index + 1]?.party === commitment.party)
  if (sorted.length !== commitments.length || twice) throw fault(partyUnexpected, 'co-sign', twice?.party)
  const changed = known.find(commitment => !sorted.some(other => isSame(commitment, other)))
  if (changed) throw fault(partyUnexpected, 'co-sign', changed.party)
  if (sorted.length < set.threshold) throw fault(sharesMissing, 'co-sign')
  return sorted
}

/** Cached λ of RFC 9591, which depends only on the signers. */
const weights = new Map<string, Uint8Array>()

function getWeight(signers: readonly Party[], party: Party): Uint8Array {
  const name = `${party} of ${signers.join()}`
  const weight = weights.get(name) ?? lagrangeCoefficient(signers, party)
  weights.set(name, weight)
  return weight
}

/**
 * Computes D + ρE of another signer. `is_valid_point` and the
 * multiplication refuse points outside the prime-order group.
 */
function getPart({ party, hiding, binding }: SignCommitment, factor: Uint8Array): Uint8Array {
  return orFault(
    () => {
      if (!sodium.crypto_core_ed25519_is_valid_point(hiding)) throw new Error('point')
      return sodium.crypto_core_ed25519_add(hiding, sodium.crypto_scalarmult_ed25519_noclamp(factor, binding))
    },
    pointInvalid,
    'co-sign',
    party,
  )
}

/** Computes z = d + ρe + λ·s·c. */
function signatureShare(
  { set, party, secret }: KeyShare,
  nonces: NoncePair,
  commitments: readonly SignCommitment[],
  message: Uint8Array,
): Uint8Array {
  const key = groupKey(set)
  const factors = bindingFactors(key, commitments, message)
  let ownNonce: Uint8Array = new Uint8Array(32)
  let sum: Uint8Array | undefined
  for (const [index, signCommitment] of commitments.entries()) {
    const factor = factors[index] ?? new Uint8Array(32)
    const isOwn = signCommitment.party === party
    if (isOwn) ownNonce = add(nonces.hiding, multiply(nonces.binding, factor))
    const part = isOwn ? timesBase(ownNonce) : getPart(signCommitment, factor)
    sum = sum ? sodium.crypto_core_ed25519_add(sum, part) : part
  }
  const signers = commitments.map(commitment => commitment.party)
  const weight = multiply(getWeight(signers, party), secret)
  const result = add(ownNonce, multiply(weight, challenge(sum ?? key, key, message)))
  erase(ownNonce, weight)
  return result
}
