/** The public arithmetic of FROST(Ed25519, SHA-512), RFC 9591. Scalars are 32 bytes, little-endian, reduced. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, concatBytes } from '@noble/curves/utils.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { createCopy, digest, erase } from '../bytes.js'
import { type Party, partyNumber } from '../parties.js'
import { lagrange } from '../polynomial.js'

/** Both points of one party's nonce pair, 32 bytes each. */
export interface SignCommitment {
  readonly party: Party
  readonly hiding: Uint8Array
  readonly binding: Uint8Array
}
/** Both secrets of a nonce pair, or their randomness, 32 bytes each. */
export interface NoncePair {
  readonly hiding: Uint8Array
  readonly binding: Uint8Array
}

const { Fn } = ed25519.Point

function prefix(name: string): Uint8Array {
  return utf8ToBytes(`FROST-ED25519-SHA512-v1${name}`)
}
const [RHO, NONCE, MSG, COM] = [prefix('rho'), prefix('nonce'), prefix('msg'), prefix('com')]

function hashToScalar(...parts: readonly Uint8Array[]): bigint {
  const input = concatBytes(...parts)
  const hash = sha512(input)
  const scalar = Fn.create(bytesToNumberLE(hash))
  // The bytes may hold a share and a nonce.
  erase(input, hash)
  return scalar
}

/** Returns RFC 9591's identifier of a party, serialised. */
export function identifier(party: Party): Uint8Array {
  return Fn.toBytes(BigInt(partyNumber(party)))
}

/**
 * HKDF-SHA512(fresh, info = hash(request ‖ message ‖ received commitments)) → 32 + 32 bytes. A machine restored from a
 * snapshot may draw the same fresh bytes again; another message, or other commitments, still give other nonces.
 */
export function nonceRandomness(
  fresh: Uint8Array,
  request: Uint8Array,
  message: Uint8Array,
  received: readonly SignCommitment[],
): NoncePair {
  const list = received.map(commitment =>
    concatBytes(identifier(commitment.party), commitment.hiding, commitment.binding),
  )
  const bytes = hkdf(sha512, fresh, undefined, digest('nonce', request, message, ...list), 64)
  const pair = { hiding: createCopy(bytes, 0, 32), binding: createCopy(bytes, 32) }
  erase(bytes)
  return pair
}

/** RFC 9591's nonce_generate for both. Erases the randomness. */
export function noncesFrom(randomness: NoncePair, secret: Uint8Array): NoncePair {
  const nonce = (random: Uint8Array): Uint8Array => Fn.toBytes(hashToScalar(NONCE, random, secret))
  const pair = { hiding: nonce(randomness.hiding), binding: nonce(randomness.binding) }
  erase(randomness.hiding, randomness.binding)
  return pair
}

/** Returns one factor per commitment; `commitments` in the order of the parties' identifiers. */
export function bindingFactors(
  groupKey: Uint8Array,
  commitments: readonly SignCommitment[],
  message: Uint8Array,
): readonly Uint8Array[] {
  return bindingNumbers(groupKey, commitments, message).map(factor => Fn.toBytes(factor))
}

/** The same factors as numbers. */
export function bindingNumbers(
  groupKey: Uint8Array,
  commitments: readonly SignCommitment[],
  message: Uint8Array,
): readonly bigint[] {
  const list = commitments.map(commitment =>
    concatBytes(identifier(commitment.party), commitment.hiding, commitment.binding),
  )
  const start = concatBytes(groupKey, sha512(concatBytes(MSG, message)), sha512(concatBytes(COM, ...list)))
  return commitments.map(({ party }) => hashToScalar(RHO, start, identifier(party)))
}

/** Returns Ed25519's challenge for a group commitment R. */
export function challenge(groupCommitment: Uint8Array, groupKey: Uint8Array, message: Uint8Array): Uint8Array {
  return Fn.toBytes(challengeNumber(groupCommitment, groupKey, message))
}

/** The same challenge as a number. */
export function challengeNumber(groupCommitment: Uint8Array, groupKey: Uint8Array, message: Uint8Array): bigint {
  return hashToScalar(groupCommitment, groupKey, message)
}

/** Returns the weight of a party's share among these signers. */
export function lagrangeCoefficient(signers: readonly Party[], party: Party): Uint8Array {
  return Fn.toBytes(lagrange('ed25519', signers, party))
}
